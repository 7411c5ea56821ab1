import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { SlotMap, slotTag, TopologyError } from 'redslot-wasm';
import { LANGUAGES, written } from './support/languages.js';
import { type Site, startSite, type Visit } from './support/page.js';

const corpus = new URL('../corpus/topologies/', import.meta.url);

const MALFORMED = [
  'hello',
  '[',
  '[[0,5500]]',
  '[[0,"x",["h",1,"a"]]]',
  '1) 1) (integer) 0\n   2) (integer) x',
  '07c37df 127.0.0.1:30004@31004 slave',
  '{"a":1}',
  '\u0000',
];

const HOLES = '[[0,4000,["a",1,"a"]],[3600,8000,["b",1,"b"]],[9001,16383,["c",1,"c"]]]';

const SAID = {
  en: {
    slot: 'Slot',
    line: (line: number) => new RegExp(`line ${line}(?!\\d)`),
    unserved: (slots: string) => `${slots} slots served by nobody`,
    contested: (slots: string) => `${slots} slots claimed by several`,
  },
  ko: {
    slot: '슬롯',
    line: (line: number) => new RegExp(`(?<!\\d)${line}번째 줄`),
    unserved: (slots: string) => `담당이 없는 슬롯 ${slots}개`,
    contested: (slots: string) => `여럿이 주장하는 슬롯 ${slots}개`,
  },
};

describe('the panel Topology', () => {
  let site: Site;

  before(async () => {
    site = await startSite();
  });

  after(async () => {
    await site?.close();
  });

  const primaries = (visit: Visit) =>
    visit.page.$$eval('#primaries .primary-row', (rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    );

  test('lists the primaries of every recorded reply, whatever its format', async () => {
    const visit = await site.open('#panel=topology');
    for (const name of recorded()) {
      const text = readFileSync(new URL(name, corpus), 'utf8');
      const map = SlotMap.parse(text, { fallbackHost: '127.0.0.1' });
      await visit.page.fill('#topology', text);
      const rows = await primaries(visit);
      const expected = map.primaries
        .slice(0, rows.length)
        .map(({ endpoint, id, port }) => endpoint ?? `${id?.slice(0, 8)}:${port}`);
      assert.deepEqual(
        rows.map(([endpoint]) => endpoint),
        expected,
        name,
      );
      assert.equal(await visit.page.locator('#topology-verdict .fault').count(), 0, name);
    }
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });

  for (const [language, title] of LANGUAGES) {
    describe(title, () => {
      const said = SAID[language];
      let visit: Visit;

      before(async () => {
        visit = await site.open(`#panel=topology&lang=${language}`);
      });

      test('says what it does not understand, with the line', async () => {
        for (const text of MALFORMED) {
          await visit.page.fill('#topology', text);
          const fault = faultOf(text);
          const shown = await visit.page.textContent('#topology-verdict .fault');
          assert.ok(shown?.includes(fault.reason), `${text}: ${shown}`);
          if (fault.line !== null) assert.match(shown ?? '', said.line(fault.line));
        }
      });

      test('counts slots that nobody or more than one serves', async () => {
        await visit.page.fill('#topology', HOLES);
        const { gaps, conflicts } = SlotMap.parse(HOLES);
        const shown = (await visit.page.textContent('.coverage')) ?? '';
        const unserved = gaps.reduce((sum, [start, end]) => sum + end - start + 1, 0);
        const contested = conflicts.reduce((sum, { start, end }) => sum + end - start + 1, 0);
        assert.ok(shown.includes(said.unserved(written(unserved, language))), shown);
        assert.ok(shown.includes(said.contested(written(contested, language))), shown);
      });

      test('brings three examples', async () => {
        for (const [name, count] of [
          ['three', 3],
          ['fragments', 6],
          ['thousand', 1000],
        ] as const) {
          await visit.page.selectOption('#example', name);
          const map = SlotMap.parse(await visit.page.inputValue('#topology'));
          assert.equal(map.primaries.length, count);
          assert.deepEqual(map.gaps, []);
          assert.deepEqual(map.conflicts, []);
        }
      });

      test('names slot, owner and a tag under the pointer and under the cursor', async () => {
        await visit.page.selectOption('#example', 'three');
        const map = SlotMap.parse(await visit.page.inputValue('#topology'));
        const box = await visit.page.locator('.map-canvas').boundingBox();
        assert.ok(box);
        const cell = box.width / 128;
        for (const slot of [0, 127, 5500, 5501, 16383]) {
          const x = box.x + ((slot % 128) + 0.5) * cell;
          const y = box.y + (Math.floor(slot / 128) + 0.5) * cell;
          await visit.page.mouse.move(x, y);
          await assertReadout(visit, said.slot, slot, map);
        }
        await visit.page.mouse.move(0, 0);
        await visit.page.focus('.map-canvas');
        await visit.page.keyboard.press('End');
        await visit.page.keyboard.press('End');
        await assertReadout(visit, said.slot, 16383, map);
        await visit.page.keyboard.press('ArrowUp');
        await visit.page.keyboard.press('ArrowLeft');
        await assertReadout(visit, said.slot, 16383 - 128 - 1, map);
      });

      test('raised no complaint', () => {
        assert.deepEqual(visit.complaints, []);
      });
    });
  }
});

async function assertReadout(
  { page }: Visit,
  word: string,
  slot: number,
  map: SlotMap,
): Promise<void> {
  const said = (await page.textContent('#map-readout')) ?? '';
  assert.ok(said.includes(`${word} ${slot}`), said);
  assert.ok(said.includes(map.ownerOf(slot)?.endpoint ?? ''), said);
  assert.ok(said.includes(`{${slotTag(slot)}}`), said);
}

function recorded(): string[] {
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(json|txt)$/.test(name) && !/expected|source/.test(name))
    .filter((name) => isTopology(readFileSync(new URL(name, corpus), 'utf8')));
}

function isTopology(text: string): boolean {
  try {
    SlotMap.parse(text, { fallbackHost: '127.0.0.1' });
    return true;
  } catch {
    return false;
  }
}

function faultOf(text: string): TopologyError {
  try {
    SlotMap.parse(text);
  } catch (error) {
    if (error instanceof TopologyError) return error;
  }
  throw new Error(`${text} is a topology`);
}
