import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { patternSlot, slotTag } from 'redslot-wasm';
import { type Site, startSite, type Visit } from './support/page.js';

const PATTERNS = [
  '{a}*',
  '{a}h*llo',
  'a{b}*',
  '{a*}',
  '*{a}',
  'user:{42}:*',
  'foo',
  '{}*',
  '\\{a}',
];

describe('the panels Pattern and Slot to tag', () => {
  let site: Site;
  let visit: Visit;

  before(async () => {
    site = await startSite();
    visit = await site.open('#panel=pattern');
  });

  after(async () => {
    await site?.close();
  });

  test('name the one slot of a pattern, or the character that rules it out', async () => {
    for (const pattern of PATTERNS) {
      await visit.page.fill('#pattern', pattern);
      const slot = patternSlot(pattern);
      if (slot === null) {
        const first = pattern.search(/[*?[\\]/);
        assert.equal(await visit.page.textContent('.pattern mark'), pattern[first], pattern);
        assert.match(
          (await visit.page.textContent('#pattern-culprit')) ?? '',
          new RegExp(`character ${first + 1} `),
        );
      } else {
        assert.equal(await visit.page.textContent('#pattern-slot'), String(slot), pattern);
      }
    }
  });

  test('give a tag for a slot, and take a slot from the map', async () => {
    await visit.page.click('#tab-tag');
    for (const slot of [0, 1, 5061, 16383]) {
      await visit.page.fill('#tag-slot', String(slot));
      assert.equal(await visit.page.textContent('#tag'), `{${slotTag(slot)}}`);
    }
    for (const wrong of ['', '-1', '16384', '1.5', 'x']) {
      await visit.page.fill('#tag-slot', wrong);
      assert.match((await visit.page.textContent('#tag-verdict')) ?? '', /whole number/);
    }
    await visit.page.locator('.map-canvas').click({ position: { x: 1, y: 1 } });
    assert.equal(await visit.page.inputValue('#tag-slot'), '0');
  });

  test('raised no complaint', () => {
    assert.deepEqual(visit.complaints, []);
  });
});
