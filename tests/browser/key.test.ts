import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { explainKey, keySlot, SlotMap } from 'redslot-wasm';
import { LANGUAGES } from './support/languages.js';
import { type Site, settle, startSite, type Visit } from './support/page.js';

const KEYS = [
  'foo',
  'user:{1000}.following',
  'foo{}{bar}',
  'foo{{bar}}zap',
  'foo{bar',
  '{}',
  ' a',
  'a ',
  'café',
  '키:{슬롯}:값',
  '\u{1f511}{\u{1f5dd}}',
  '\ufeffa',
  'cache:{"a":{}}',
];

const REASONS = [
  {
    key: '키:{슬롯}}',
    en: 'The first “{” is at byte 4 and the first “}” after it at byte 11, so only the 6 bytes between them are hashed.',
    ko: '첫 “{”는 바이트 4에, 그다음 첫 “}”는 바이트 11에 있으므로 그 사이의 6바이트만 해시합니다.',
  },
  {
    key: '키{}{슬롯}',
    en: 'The first “{” is at byte 3 and “}” follows at once: an empty tag does not count, nor do later braces, so the whole key (13 bytes) is hashed.',
    ko: '첫 “{”는 바이트 3에 있고 바로 뒤에 “}”가 옵니다. 빈 태그는 물론 그 뒤의 중괄호도 치지 않으므로 키 전체(13바이트)를 해시합니다.',
  },
  {
    key: '}키{슬롯',
    en: 'The first “{” is at byte 4 and no “}” follows it, so the whole key (11 bytes) is hashed.',
    ko: '첫 “{”는 바이트 4에 있고 뒤에 “}”가 없으므로 키 전체(11바이트)를 해시합니다.',
  },
  {
    key: '슬롯}',
    en: 'No “{” in the key, so the whole key (7 bytes) is hashed.',
    ko: '키에 “{”가 없으므로 키 전체(7바이트)를 해시합니다.',
  },
] as const;

const SAID = {
  en: (bytes: number, hashed: number) => `${bytes} byte${bytes === 1 ? '' : 's'}${hashed} hashed`,
  ko: (bytes: number, hashed: number) => `${bytes}바이트${hashed}바이트 해시`,
};

describe('the panel Key', () => {
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
        visit = await site.open(`#panel=key&lang=${language}`);
      });

      const shown = async (id: string) => (await visit.page.textContent(`#${id}`))?.trim() ?? '';

      test('shows the slot of each key as it is typed', async () => {
        for (const key of KEYS) {
          await visit.page.fill('#key', key);
          await visit.page.waitForFunction(
            (slot) => document.querySelector('#key-slot')?.textContent === slot,
            String(keySlot(key)),
          );
        }
      });

      test('lights up just the bytes that are hashed', async () => {
        for (const key of KEYS) {
          await visit.page.fill('#key', key);
          const { tag } = explainKey(key);
          const length = Buffer.byteLength(key);
          const hashed = tag ? tag.end - tag.start : length;
          const lit = await visit.page.$$eval('.cell.lit .cell-hex', (cells) =>
            cells.map((cell) => cell.textContent?.split(' ').length ?? 0),
          );
          assert.equal(
            lit.reduce((sum, bytes) => sum + bytes, 0),
            hashed,
            key,
          );
          const caption = (await visit.page.textContent('.bytes figcaption')) ?? '';
          assert.equal(caption, said(length, hashed));
        }
      });

      test('points from the bytes to their slot, and from the slot or its primary to them', async () => {
        await visit.page.fill('#key', 'foo');
        const isPointed = () => visit.page.locator('.bytes.pointed').count();
        const readout = async () => (await visit.page.textContent('#map-readout')) ?? '';
        await visit.page.mouse.move(0, 0);
        assert.equal(await isPointed(), 0);
        await visit.page.hover('.cells');
        assert.match(await readout(), /12182/);
        assert.equal(await isPointed(), 1);
        const box = await visit.page.locator('.map-canvas').boundingBox();
        assert.ok(box);
        const cell = box.width / 128;
        const over = (slot: number) =>
          visit.page.mouse.move(
            box.x + ((slot % 128) + 0.5) * cell,
            box.y + (Math.floor(slot / 128) + 0.5) * cell,
          );
        await over(0);
        assert.equal(await isPointed(), 0);
        await over(12182);
        assert.equal(await isPointed(), 1);
        await visit.page.hover('#primaries .primary-row >> nth=0');
        assert.equal(await isPointed(), 0);
        await visit.page.hover('#primaries .primary-row >> nth=2');
        assert.equal(await isPointed(), 1);
        await visit.page.mouse.move(0, 0);
      });

      test('says why', async () => {
        for (const { key, ...reason } of REASONS) {
          await visit.page.fill('#key', key);
          assert.equal(await shown('key-reason'), reason[language]);
        }
      });

      test('says it in another language once that is chosen', async () => {
        const other = language === 'en' ? 'ko' : 'en';
        const [{ key, ...reason }] = REASONS;
        await visit.page.fill('#key', key);
        await visit.page.selectOption('#language', other);
        await visit.page.waitForFunction(
          (words) => document.querySelector('#key-reason')?.textContent === words,
          reason[other],
        );
        await visit.page.selectOption('#language', language);
        assert.equal(await shown('key-reason'), reason[language]);
      });

      test('reads escapes on request', async () => {
        const typed = '\\xac\\xed\\x00\\x05t\\x00\\n4100000252';
        await visit.page.fill('#key', typed);
        assert.equal(await shown('key-slot'), String(keySlot(typed)));
        await visit.page.check('.check input');
        assert.equal(await shown('key-slot'), '6933');
        assert.match((await visit.page.textContent('.cells')) ?? '', /NUL/);
        await visit.page.uncheck('.check input');
      });

      test('warns of tags that look accidental, and only of these', async () => {
        const suspicious = [
          'cache:{"a":{}}',
          '{bla{}one}',
          '{n8n:cache:}k',
          'fn:function(x) { return x; }',
        ];
        for (const key of suspicious) {
          await visit.page.fill('#key', key);
          assert.equal(await visit.page.locator('#key-notes .warn').count(), 1, key);
        }
        for (const key of ['user:{1000}', '{n8n:cache}:k', 'foo', '{a}']) {
          await visit.page.fill('#key', key);
          assert.equal(await visit.page.locator('#key-notes .warn').count(), 0, key);
        }
      });

      test('names the owner once there is a topology', async () => {
        await visit.page.fill('#key', 'foo');
        const text = await exampleText(visit);
        const owner = SlotMap.parse(text).nodeFor('foo');
        assert.equal(await shown('key-slot-owner'), owner?.endpoint);
      });

      test('raised no complaint', async () => {
        await settle(visit.page);
        assert.deepEqual(visit.complaints, []);
      });
    });
  }
});

async function exampleText({ page }: Visit): Promise<string> {
  await page.click('#tab-topology');
  const text = await page.inputValue('#topology');
  await page.click('#tab-key');
  return text;
}
