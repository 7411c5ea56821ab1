import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SlotMap, slotTag } from 'redslot-wasm';
import { violations } from './support/axe.js';
import { fits, type Site, settle, startSite, type Visit } from './support/page.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PANELS = ['key', 'keys', 'topology', 'pattern', 'tag', 'reshard'];
const SLOT = 5061;

describe('on a phone', () => {
  let site: Site;
  let visit: Visit;

  before(async () => {
    site = await startSite();
    visit = await site.open('', { ...PHONE, deviceScaleFactor: 3 });
  });

  after(async () => {
    await site?.close();
  });

  const map = async () => {
    const box = await visit.page.locator('.map-canvas').boundingBox();
    assert.ok(box);
    return box;
  };
  const tap = async (slot: number) => {
    const { x, y, width } = await map();
    const cell = width / 128;
    const column = (slot % 128) + 0.5;
    const row = Math.floor(slot / 128) + 0.5;
    await visit.page.touchscreen.tap(x + column * cell, y + row * cell);
  };
  const readout = async () => (await visit.page.textContent('#map-readout')) ?? '';

  test('the map stays in view to the end of every panel', async () => {
    for (const panel of PANELS) {
      await visit.page.tap(`#tab-${panel}`);
      await visit.page.waitForSelector('#panel > *');
      await visit.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const { y, height } = await map();
      assert.ok(y >= 0 && y + height < 300, `${panel}: ${y} to ${y + height}`);
      await visit.page.evaluate(() => scrollTo(0, 0));
    }
  });

  test('a tap on a slot names it, also once the finger is lifted', async () => {
    await visit.page.tap('#tab-topology');
    const owner = SlotMap.parse(await visit.page.inputValue('#topology')).ownerOf(SLOT);
    await tap(SLOT);
    for (const words of [`Slot ${SLOT}`, owner?.endpoint ?? '', `{${slotTag(SLOT)}}`]) {
      assert.ok((await readout()).includes(words), await readout());
    }
    await visit.page.tap('#topology');
    assert.doesNotMatch(await readout(), /Slot \d/);
  });

  test('a tap takes the slot to the panel that wants one', async () => {
    await visit.page.tap('#tab-tag');
    await tap(0);
    assert.equal(await visit.page.inputValue('#tag-slot'), '0');
  });

  test('nothing moves while a key is typed', async () => {
    await visit.page.tap('#tab-key');
    const places = () =>
      visit.page.$$eval('.map, #key, #key-slot, .bytes', (found) =>
        found.map((element) => element.getBoundingClientRect().top),
      );
    await visit.page.fill('#key', 'a');
    const before = await places();
    await visit.page.fill('#key', 'a{b}');
    assert.deepEqual(await places(), before);
  });

  test('the map takes the whole width on request, and stays accessible', async () => {
    const small = (await map()).width;
    await visit.page.tap('.map-size');
    assert.ok((await map()).width > 2 * small);
    assert.deepEqual(await violations(visit), []);
    await visit.page.tap('.map-size');
    assert.equal((await map()).width, small);
  });

  test('no panel is wider than the smallest screen', async () => {
    await visit.page.setViewportSize({ width: 320, height: 640 });
    for (const panel of PANELS) {
      await visit.page.tap(`#tab-${panel}`);
      await settle(visit.page);
      assert.ok(await fits(visit), panel);
    }
  });

  test('raised no complaint', () => {
    assert.deepEqual(visit.complaints, []);
  });
});
