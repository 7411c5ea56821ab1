import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { explainKey, keySlot, SlotMap } from 'redslot-wasm';
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

describe('the panel Key', () => {
  let site: Site;
  let visit: Visit;

  before(async () => {
    site = await startSite();
    visit = await site.open('#panel=key');
  });

  after(async () => {
    await site?.close();
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
    }
  });

  test('says why in English and in Korean', async () => {
    const cases = [
      ['user:{1000}', /byte 5 .* byte 10, so only the 4 bytes/, /바이트 5.*바이트 10.*4바이트/],
      ['foo{}{bar}', /follows at once/, /빈 태그/],
      ['foo{bar', /no “}” follows it/, /뒤에 “}”가 없으므로/],
      ['foo', /No “{” in the key, so the whole key \(3 bytes\)/, /3바이트/],
    ] as const;
    for (const [key, english, korean] of cases) {
      await visit.page.selectOption('#language', 'en');
      await visit.page.fill('#key', key);
      assert.match(await shown('key-reason'), english);
      await visit.page.selectOption('#language', 'ko');
      await visit.page.waitForFunction(() => document.body.textContent?.includes('프라이머리'));
      assert.match(await shown('key-reason'), korean);
    }
    await visit.page.selectOption('#language', 'en');
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
    assert.equal(await shown('key-owner'), owner?.endpoint);
  });

  test('raised no complaint', async () => {
    await settle(visit.page);
    assert.deepEqual(visit.complaints, []);
  });
});

async function exampleText({ page }: Visit): Promise<string> {
  await page.click('#tab-topology');
  const text = await page.inputValue('#topology');
  await page.click('#tab-key');
  return text;
}
