import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { violations } from './support/axe.js';
import { fits, type Site, settle, startSite } from './support/page.js';

const lines = encodeURIComponent(
  'SET user:1 a\nMGET user:1 user:2\nRENAME a b\nPING hi\n{x}:1\n{x}:2\n키:{1}',
);
const holes = encodeURIComponent(
  '[[0,4000,["a",1,"a"]],[3600,8000,["b",1,"b"]],[9001,16383,["c",1,"c"]]]',
);

const VIEWS = {
  key: '#panel=key&key=caf%C3%A9%3A%7B%22a%22%3A%7B%7D%7D%20',
  keys: `#panel=keys&keys=${lines}&example=fragments`,
  topology: '#panel=topology&example=thousand',
  holes: `#panel=topology&example=&topology=${holes}`,
  fault: '#panel=topology&example=&topology=hello',
  pattern: '#panel=pattern&pattern=a%7B*%7D',
  tag: '#panel=tag&slot=5061',
  reshard: `#panel=reshard&stage=migrating&from=4900&to=7000&keys=${lines}`,
};

const SIZES = {
  wide: { viewport: { width: 1360, height: 960 } },
  narrow: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

describe('every panel', () => {
  let site: Site;
  const pictures = mkdtempSync(join(tmpdir(), 'redslot-playground-'));

  before(async () => {
    site = await startSite();
  });

  after(async () => {
    await site?.close();
  });

  for (const [lang, words] of [
    ['en', 'API reference'],
    ['ko', 'API 문서(영어)'],
  ] as const) {
    test(`the page in ${lang} links to the API reference beside it`, async () => {
      const visit = await site.open(`#lang=${lang}`);
      const link = visit.page.getByRole('link', { name: words });
      assert.equal(await link.getAttribute('href'), 'api/index.html');
      await visit.close();
    });
  }

  for (const [name, hash] of Object.entries(VIEWS)) {
    for (const [size, options] of Object.entries(SIZES)) {
      for (const [colorScheme, lang] of [
        ['light', 'en'],
        ['dark', 'ko'],
      ] as const) {
        test(`${name}, ${size}, ${colorScheme}, is accessible and fits`, async () => {
          const visit = await site.open(`${hash}&lang=${lang}`, { ...options, colorScheme });
          await settle(visit.page);
          const path = join(pictures, `${name}-${size}-${colorScheme}.png`);
          await visit.page.screenshot({ path, fullPage: true });
          assert.deepEqual(await violations(visit), []);
          assert.ok(await fits(visit), 'the page is wider than its window');
          assert.deepEqual(visit.complaints, []);
          await visit.close();
        });
      }
    }
  }

  test('left a picture', (context) => context.diagnostic(`pictures are in ${pictures}`));

  test('is reached with the keyboard alone', async () => {
    const visit = await site.open();
    await visit.page.focus('#tab-key');
    for (const panel of ['keys', 'topology', 'pattern', 'tag', 'reshard', 'key']) {
      await visit.page.keyboard.press('ArrowRight');
      assert.equal(await visit.page.getAttribute(`#tab-${panel}`, 'aria-selected'), 'true');
    }
    await visit.close();
  });

  test('turns dark on request and stays so', async () => {
    const visit = await site.open('', { colorScheme: 'light' });
    const shown = () => visit.page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await shown(), 'light');
    await visit.page.selectOption('#theme', 'dark');
    assert.equal(await shown(), 'dark');
    await visit.page.reload();
    assert.equal(await shown(), 'dark');
    await visit.close();
  });
});
