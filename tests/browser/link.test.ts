import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Site, settle, startSite } from './support/page.js';

const KEYS = Array.from({ length: 400 }, (_, at) => `order:{${at}}:lines`).join('\n');
const NODES =
  '07c37dfeb235213a872192d90877d0cd55635b91 127.0.0.1:30004@31004 master - 0 1 4 connected 0-16383\n';

describe('a link', () => {
  let site: Site;

  before(async () => {
    site = await startSite();
  });

  after(async () => {
    await site?.close();
  });

  /** Opens the page's address afresh and compares all that it says. */
  const reopened = async (prepare: (page: import('playwright-core').Page) => Promise<unknown>) => {
    const first = await site.open();
    await prepare(first.page);
    await settle(first.page);
    await settle(first.page);
    const hash = new URL(first.page.url()).hash;
    const second = await site.open(hash);
    await settle(second.page);
    const said = await Promise.all(
      [first, second].map(({ page }) =>
        page.evaluate(() => (document.body.textContent ?? '').replace(/\d+ ms/, '')),
      ),
    );
    assert.equal(said[0], said[1]);
    assert.deepEqual([...first.complaints, ...second.complaints], []);
    await first.close();
    await second.close();
    return hash;
  };

  test('opened fresh shows the same key', async () => {
    const hash = await reopened(async (page) => {
      await page.fill('#key', 'a b&c=d#{é}%20\\x00');
      await page.check('.check input');
    });
    assert.match(hash, /key=/);
  });

  test('opened fresh shows the same keys and pasted topology, in Korean', async () => {
    await reopened(async (page) => {
      await page.selectOption('#language', 'ko');
      await page.click('#tab-topology');
      await page.fill('#topology', NODES);
      await page.click('#tab-keys');
      await page.fill('#keys', KEYS);
    });
  });

  test('opened fresh shows the same resharding', async () => {
    await reopened(async (page) => {
      await page.click('#tab-reshard');
      await page.fill('#reshard-to', '9000');
      await page.check('input[value=migrating]', { force: true });
      await page.fill('#moved', '30');
    });
  });

  test('that is damaged still opens the page', async () => {
    for (const hash of [
      '#keys.z=@@@',
      '#key=%E0%A4',
      '#panel=nothing',
      '#===&&&',
      '#topology.z=',
    ]) {
      const visit = await site.open(hash);
      assert.ok(await visit.page.isVisible('.map-canvas'), hash);
      assert.deepEqual(visit.complaints, [], hash);
      await visit.close();
    }
  });

  test('changed by hand changes the page', async () => {
    const visit = await site.open('#panel=key&key=foo');
    assert.equal(await visit.page.textContent('#key-slot'), '12182');
    await visit.page.evaluate(() => {
      location.hash = '#panel=key&key=bar';
    });
    await settle(visit.page);
    assert.equal(await visit.page.textContent('#key-slot'), '5061');
    await visit.close();
  });
});
