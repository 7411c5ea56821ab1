import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { patternSlot, slotTag } from 'redslot-wasm';
import { LANGUAGES } from './support/languages.js';
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

const SAID = {
  en: {
    one: (slot: number) => `in slot ${slot}.`,
    at: (at: number) => ` at character ${at} `,
    wrong: /from 0 to 16383/,
  },
  ko: {
    one: (slot: number) => `모두 슬롯 ${slot}에 있습니다.`,
    at: (at: number) => `.${at}번째 글자`,
    wrong: /0부터 16383까지/,
  },
};

describe('the panels Pattern and Slot to tag', () => {
  let site: Site;

  before(async () => {
    site = await startSite();
  });

  after(async () => {
    await site?.close();
  });

  for (const [language, title] of LANGUAGES) {
    describe(title, () => {
      const said = SAID[language];
      let visit: Visit;

      before(async () => {
        visit = await site.open(`#panel=pattern&lang=${language}`);
      });

      test('name the one slot of a pattern, or the character that rules it out', async () => {
        for (const pattern of PATTERNS) {
          await visit.page.fill('#pattern', pattern);
          const slot = patternSlot(pattern);
          const verdict = (await visit.page.textContent('#pattern-verdict')) ?? '';
          if (slot === null) {
            const first = pattern.search(/[*?[\\]/);
            assert.equal(await visit.page.textContent('.pattern mark'), pattern[first], pattern);
            assert.ok(verdict.includes(said.at(first + 1)), verdict);
          } else {
            assert.equal(await visit.page.textContent('#pattern-slot'), String(slot), pattern);
            assert.ok(verdict.includes(said.one(slot)), verdict);
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
          assert.match((await visit.page.textContent('#tag-verdict')) ?? '', said.wrong);
        }
        await visit.page.locator('.map-canvas').click({ position: { x: 1, y: 1 } });
        assert.equal(await visit.page.inputValue('#tag-slot'), '0');
      });

      test('raised no complaint', () => {
        assert.deepEqual(visit.complaints, []);
      });
    });
  }
});
