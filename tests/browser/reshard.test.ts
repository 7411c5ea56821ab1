import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { type Site, startSite, type Visit } from './support/page.js';

const LINES = ['user:1', 'MGET {a}1 {a}2', 'RENAME x y'];

describe('the panel Resharding', () => {
  let site: Site;
  let visit: Visit;
  const tagged = keySlot('{a}');

  before(async () => {
    site = await startSite();
    const hash = `#panel=reshard&from=${tagged}&to=${tagged}&target=10.0.0.1%3A6379`;
    visit = await site.open(`${hash}&keys=${encodeURIComponent(LINES.join('\n'))}`);
    await visit.page.waitForSelector('#outcomes-2');
  });

  after(async () => {
    await site?.close();
  });

  const outcomes = () =>
    visit.page.$$eval('#outcomes .outcome', (found) => found.map((one) => one.textContent));

  test('counts the slots and keys that move', async () => {
    const said = (await visit.page.textContent('#reshard-summary')) ?? '';
    assert.match(said, /1 slot move/);
    assert.match(said, /2 of your 5 keys move/);
  });

  test('shows what a client is answered at each stage', async () => {
    assert.deepEqual(await outcomes(), ['answers', 'answers', 'CROSSSLOT']);
    await visit.page.check('input[value=migrating]', { force: true });
    const seen = [];
    for (const moved of ['0', '50', '100']) {
      await visit.page.fill('#moved', moved);
      seen.push((await outcomes())[1]);
    }
    assert.deepEqual(seen, ['answers', 'TRYAGAIN', 'ASK']);
    await visit.page.check('input[value=finished]', { force: true });
    assert.deepEqual(await outcomes(), ['answers', 'MOVED', 'CROSSSLOT']);
  });

  test('takes a range that is dragged over the map', async () => {
    const box = await visit.page.locator('.map-canvas').boundingBox();
    assert.ok(box);
    const cell = box.width / 128;
    await visit.page.mouse.move(box.x + 0.5 * cell, box.y + 0.5 * cell);
    await visit.page.mouse.down();
    await visit.page.mouse.move(box.x + 5.5 * cell, box.y + 1.5 * cell, { steps: 4 });
    await visit.page.mouse.up();
    assert.equal(await visit.page.inputValue('#reshard-from'), '0');
    assert.equal(await visit.page.inputValue('#reshard-to'), '133');
  });

  test('says when the range is none', async () => {
    await visit.page.fill('#reshard-from', '200');
    await visit.page.fill('#reshard-to', '100');
    assert.match((await visit.page.textContent('#panel')) ?? '', /first slot first/);
  });

  test('raised no complaint', () => {
    assert.deepEqual(visit.complaints, []);
  });
});
