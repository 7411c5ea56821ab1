import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keySlot, keySlots, SlotMap } from 'redslot-wasm';
import { LANGUAGES, written } from './support/languages.js';
import { type Site, startSite, type Visit } from './support/page.js';

const MANY = 100_000;
/** Generous, because a test machine is shared: what is asserted is that nothing hangs. */
const FIRST_ANSWER_MS = 3000;
const LONGEST_FRAME_MS = 1000;

const SAID = {
  en: {
    summary: (keys: string, slots: string) => `${keys} keys in ${slots} slot`,
    noKey: 'no key',
    refused: /RENAME would be refused with CROSSSLOT/,
    pieces: /in 3 pieces/,
    unowned: (keys: number) => `${keys} keys in slots without one owner`,
    readout: /Slot 5061/,
  },
  ko: {
    summary: (keys: string, slots: string) => `키 ${keys}개, 슬롯 ${slots}개`,
    noKey: '키 없음',
    refused: /RENAME의 키가 여러 슬롯에 있으므로 CROSSSLOT 오류/,
    pieces: /3조각으로/,
    unowned: (keys: number) => `담당이 없는 슬롯의 키 ${keys}개`,
    readout: /슬롯 5061/,
  },
};

describe('the panel Keys', () => {
  let site: Site;
  let many: Visit;

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
      let map: SlotMap;

      before(async () => {
        visit = await site.open(`#panel=topology&lang=${language}`);
        map = SlotMap.parse(await visit.page.inputValue('#topology'));
        await visit.page.click('#tab-keys');
      });

      const paste = async (text: string, keys: number, slots: number) => {
        await visit.page.fill('#keys', text);
        const summary = said.summary(written(keys, language), written(slots, language));
        await visit.page.waitForFunction(
          (words) => document.querySelector('#keys-summary')?.textContent?.includes(words),
          summary,
        );
      };
      const rows = (list: string) =>
        visit.page.$$eval(`#${list} [role=option]`, (found) =>
          found.map((row) =>
            [...(row.firstElementChild?.children ?? [])].map((cell) => cell.textContent ?? ''),
          ),
        );

      test('gives slot and owner of each key', async () => {
        const keys = ['foo', 'bar', '{user1000}.a', 'foo{}{bar}', 'with space'];
        await paste(keys.join('\n'), 5, 5);
        const expected = keys.map((key, at) => [
          String(at + 1),
          key,
          String(keySlot(key)),
          map.nodeFor(key)?.endpoint,
        ]);
        assert.deepEqual(await rows('lines'), expected);
      });

      test('counts the keys of each primary as the package does', async () => {
        const keys = Array.from({ length: 500 }, (_, at) => `user:${at}`);
        await paste(keys.join('\n'), 500, new Set(keySlots(keys)).size);
        const { groups } = map.partition(keys);
        const shown = (await rows('shares')).map((cells) => [cells[0], cells[2]]);
        const expected = map.primaries.map((node) => [
          node.endpoint,
          String(groups.find((group) => group.node === node)?.indices.length ?? 0),
        ]);
        assert.deepEqual(shown, expected);
      });

      test('finds the keys of commands', async () => {
        const lines = [
          'SET a 1 EX 60',
          'MGET {t}1 {t}2',
          'eval "return 1" 2 {k}1 {k}2 x',
          'PING hi',
        ];
        await paste(lines.join('\n'), 5, 3);
        const slots = (await rows('lines')).map((cells) => cells[2]);
        assert.deepEqual(
          slots,
          [keySlot('a'), keySlot('{t}1'), keySlot('{k}1'), said.noKey].map(String),
        );
      });

      test('reads what redis-cli and MONITOR print', async () => {
        const lines = [
          '1) "user:1"',
          '127.0.0.1:7000> GET user:2',
          '1339518083.107412 [0 127.0.0.1:60866] "get" "user:3"',
          '"\\xac\\xed\\x00\\x05t\\x00\\n4100000252"',
        ];
        await paste(lines.join('\n'), 4, 4);
        const slots = (await rows('lines')).map((cells) => cells[2]);
        assert.deepEqual(slots, [...['user:1', 'user:2', 'user:3'].map(keySlot), 6933].map(String));
      });

      test('explains CROSSSLOT and proposes a tag that cures it', async () => {
        await paste('GET user:1\nRENAME user:1 user:2', 3, 2);
        const detail = (await visit.page.textContent('#line-detail')) ?? '';
        assert.match(detail, said.refused);
        assert.match(detail, /"user:1" is in slot 10778 and "user:2" in slot 6777/);
        const cure = ((await visit.page.textContent('.cure')) ?? '').split(/\s+/);
        assert.equal(cure.length, 2);
        assert.equal(new Set(cure.map((key) => keySlot(key))).size, 1);
      });

      test('tells how a splittable command is sent', async () => {
        await paste('MGET user:1 user:2 user:3', 3, 3);
        const detail = (await visit.page.textContent('#line-detail')) ?? '';
        assert.match(detail, said.pieces);
      });

      test('shows keys that nobody owns', async () => {
        await visit.page.click('#tab-topology');
        await visit.page.fill('#topology', '[[0,5500,["a",1,"a"]]]');
        await visit.page.click('#tab-keys');
        await paste('foo\nuser:0\nbar', 3, 3);
        const partial = SlotMap.parse('[[0,5500,["a",1,"a"]]]');
        const unowned = partial.partition(['foo', 'user:0', 'bar']).unowned.length;
        const summary = (await visit.page.textContent('#keys-summary')) ?? '';
        assert.ok(summary.includes(said.unowned(unowned)), summary);
        await visit.page.click('#tab-topology');
        await visit.page.selectOption('#example', 'three');
        await visit.page.click('#tab-keys');
      });

      test('points from a line to its slot, and from a slot to its line', async () => {
        await paste('foo\nbar', 2, 2);
        await visit.page.hover('#lines-1');
        assert.match((await visit.page.textContent('#map-readout')) ?? '', said.readout);
        const box = await visit.page.locator('.map-canvas').boundingBox();
        assert.ok(box);
        const slot = keySlot('foo');
        const cell = box.width / 128;
        await visit.page.mouse.click(
          box.x + ((slot % 128) + 0.5) * cell,
          box.y + (Math.floor(slot / 128) + 0.5) * cell,
        );
        assert.equal(await visit.page.getAttribute('#lines-0', 'aria-selected'), 'true');
      });

      test('writes the ioredis code', async () => {
        await paste("SET it's 1\nfoo", 2, 2);
        const code = (await visit.page.textContent('#code')) ?? '';
        assert.match(code, /import \{ redslot \} from 'redslot-wasm\/ioredis'/);
        assert.match(code, /\['get', 'foo'\]/);
        assert.match(code, /\['set', 'it\\'s', '1'\]/);
      });

      test('raised no complaint', () => {
        assert.deepEqual(visit.complaints, []);
      });
    });
  }

  test('stays fluid with 100,000 lines', async (context) => {
    many = await site.open('#panel=keys');
    const keys = Array.from({ length: MANY }, (_, at) => `session:{${at * 7919}}:token`);
    const slots = new Set(keySlots(keys)).size;
    const { answer, longest } = await many.page.evaluate(pasteAndWatch, {
      text: keys.join('\n'),
      summary: SAID.en.summary(written(MANY, 'en'), written(slots, 'en')),
    });
    context.diagnostic(`first answer after ${answer} ms, longest frame ${longest} ms`);
    assert.ok(answer < FIRST_ANSWER_MS, `first answer after ${answer} ms`);
    assert.ok(longest < LONGEST_FRAME_MS, `a frame took ${longest} ms`);

    assert.ok((await many.page.locator('#lines [role=option]').count()) < 60);

    await many.page.focus('#lines');
    await many.page.keyboard.press('End');
    await many.page.waitForSelector(`#lines-${MANY - 1}`);
    const row = (await many.page.textContent(`#lines-${MANY - 1}`)) ?? '';
    assert.ok(row.includes(String(keySlot(keys[MANY - 1] as string))), row);
  });

  test('scrolls through 100,000 lines without a pause', async (context) => {
    const { frames, blank } = await many.page.evaluate(scrollAndWatch, '#lines');
    frames.sort((one, other) => one - other);
    const [median, longest] = [frames.length >> 1, frames.length - 1].map((at) =>
      Math.round(frames[at] ?? 0),
    );
    context.diagnostic(`${frames.length} frames, median ${median} ms, longest ${longest} ms`);
    assert.ok((longest ?? 0) < LONGEST_FRAME_MS, `a frame took ${longest} ms`);
    assert.equal(blank, 0, 'frames without a row in the middle of the list');
    assert.deepEqual(many.complaints, []);
  });
});

/** Runs in the page: pastes, and measures until the summary is there. */
async function pasteAndWatch({ text, summary }: { text: string; summary: string }) {
  const area = document.querySelector<HTMLTextAreaElement>('#keys');
  if (!area) throw new Error('no text area');
  const started = performance.now();
  let last = started;
  let longest = 0;
  area.value = text;
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  for (;;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    longest = Math.max(longest, now - last);
    last = now;
    if (document.querySelector('#keys-summary')?.textContent?.includes(summary)) break;
    if (now - started > 60_000) throw new Error('no answer within a minute');
  }
  return { answer: Math.round(last - started), longest: Math.round(longest) };
}

/**
 * Runs in the page: scrolls a list from its beginning to its end, some way with each frame. Gives
 * the time of each, and in how many the middle of the list showed no row.
 */
async function scrollAndWatch(selector: string): Promise<{ frames: number[]; blank: number }> {
  const list = document.querySelector(selector);
  if (!list) throw new Error('no list');
  const { left, top, width, height } = list.getBoundingClientRect();
  const steps = 120;
  const frames: number[] = [];
  let blank = 0;
  let last = performance.now();
  for (let step = 0; step <= steps; step++) {
    list.scrollTop = (step / steps) * (list.scrollHeight - list.clientHeight);
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    frames.push(now - last);
    last = now;
    await new Promise((resolve) => setTimeout(resolve));
    const middle = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!middle?.closest('[role=option]')) blank++;
  }
  return { frames, blank };
}
