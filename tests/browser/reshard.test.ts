import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { LANGUAGES } from './support/languages.js';
import { type Site, startSite, type Visit } from './support/page.js';

const LINES = ['user:1', 'MGET {a}1 {a}2', 'RENAME x y'];

const SAID = {
  en: {
    answers: 'answers',
    moves: ['1 slot move', '2 of your 5 keys move'],
    invalid: /first slot first/,
  },
  ko: {
    answers: '응답',
    moves: ['슬롯 1개가', '키 5개 중 2개가'],
    invalid: /첫 슬롯이 앞/,
  },
};

describe('the panel Resharding', () => {
  let site: Site;
  const tagged = keySlot('{a}');

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
        const range = `from=${tagged}&to=${tagged}&target=10.0.0.1%3A6379`;
        const keys = encodeURIComponent(LINES.join('\n'));
        visit = await site.open(`#panel=reshard&${range}&keys=${keys}&lang=${language}`);
        await visit.page.waitForSelector('#outcomes-2');
      });

      const outcomes = () =>
        visit.page.$$eval('#outcomes .outcome', (found) => found.map((one) => one.textContent));

      test('counts the slots and keys that move', async () => {
        const summary = (await visit.page.textContent('#reshard-summary')) ?? '';
        for (const part of said.moves) assert.ok(summary.includes(part), summary);
      });

      test('shows what a client is answered at each stage', async () => {
        assert.deepEqual(await outcomes(), [said.answers, said.answers, 'CROSSSLOT']);
        await visit.page.check('input[value=migrating]', { force: true });
        const seen = [];
        for (const moved of ['0', '50', '100']) {
          await visit.page.fill('#moved', moved);
          seen.push((await outcomes())[1]);
        }
        assert.deepEqual(seen, [said.answers, 'TRYAGAIN', 'ASK']);
        await visit.page.check('input[value=finished]', { force: true });
        assert.deepEqual(await outcomes(), [said.answers, 'MOVED', 'CROSSSLOT']);
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
        assert.match((await visit.page.textContent('#panel')) ?? '', said.invalid);
      });

      test('raised no complaint', () => {
        assert.deepEqual(visit.complaints, []);
      });
    });
  }
});
