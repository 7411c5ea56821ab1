import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page, Request, Response } from 'playwright-core';
import { LANGUAGES } from './support/languages.js';
import { type Site, settle, startSite } from './support/page.js';

const MOST_BYTES = 120_000;
/** Words that stand out in whatever might be sent. */
const SECRET = 'sesame';

describe('loading the page', () => {
  let site: Site;

  before(async () => {
    site = await startSite();
  });

  after(async () => {
    await site?.close();
  });

  for (const [language, title] of LANGUAGES) {
    test(`takes less than 120 KB to the first view ${title}`, async (context) => {
      const { page, complaints, close } = await site.prepare({ locale: language });
      const sizes = await sizesOfFirstLoad(page, site.url);
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      context.diagnostic(`${total} bytes compressed, in ${sizes.size} files`);
      assert.ok(total < MOST_BYTES, JSON.stringify([...sizes]));
      assert.ok(sizes.size > 2, JSON.stringify([...sizes]));
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test('works under a policy that allows no script but its own, and no connection', async () => {
    const { page, complaints, close } = await site.open();
    const policy = await page.getAttribute('meta[http-equiv=Content-Security-Policy]', 'content');
    assert.match(policy ?? '', /default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await page.evaluate(tryWhatIsForbidden), []);
    await close();
  });

  test('sends nothing of what is typed', async () => {
    const { page, complaints, close } = await site.open();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await useEveryPanel(page);
    await page.selectOption('#language', 'ko');
    await settle(page);
    for (const request of requests) {
      assert.equal(request.method(), 'GET');
      assert.match(request.url().slice(site.url.length), /^assets\/[\w.-]+$/);
      assert.ok(!JSON.stringify(await request.allHeaders()).includes(SECRET), request.url());
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

/** What the files that the first view needs take in compressed form, by address. */
async function sizesOfFirstLoad(page: Page, url: string): Promise<Map<string, number>> {
  const responses = new Map<string, Response>();
  page.on('response', (response) => responses.set(response.url(), response));
  await page.addInitScript(noteFirstLoad);
  await page.goto(url, { waitUntil: 'networkidle' });
  const names = await page.evaluate<string[]>('firstLoad');
  const sizes = new Map<string, number>();
  for (const name of [url, ...names]) {
    const body = await responses.get(name)?.body();
    if (body) sizes.set(name, gzipSync(body, { level: 9 }).length);
  }
  return sizes;
}

/** Runs in the page: notes what has been loaded by the time that the first panel is there. */
function noteFirstLoad(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('#panel')) return;
    observer.disconnect();
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    Object.assign(globalThis, { firstLoad: loaded });
  }).observe(document, { childList: true, subtree: true });
}

/** Runs in the page: gives what was possible of what the policy is to forbid. */
async function tryWhatIsForbidden(): Promise<string[]> {
  const possible: string[] = [];
  const script = document.createElement('script');
  script.textContent = 'globalThis.intruded = true';
  document.head.append(script);
  if ('intruded' in globalThis) possible.push('a script in the page');
  try {
    await fetch(location.href);
    possible.push('a connection, be it to the site itself');
  } catch {
    // As it is to be.
  }
  return possible;
}

async function useEveryPanel(page: Page): Promise<void> {
  await page.fill('#key', SECRET);
  await page.click('#tab-keys');
  await page.fill('#keys', `SET ${SECRET} 1\nGET ${SECRET}`);
  await page.waitForSelector('#lines-1');
  await page.click('#tab-topology');
  await page.fill('#topology', `[[0,16383,["${SECRET}",1,"a"]]]`);
  await page.click('#tab-pattern');
  await page.fill('#pattern', `{${SECRET}}*`);
  await page.click('#tab-tag');
  await page.fill('#tag-slot', '5061');
  await page.click('#tab-reshard');
  await page.fill('#reshard-to', '9000');
}
