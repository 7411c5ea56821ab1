import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { needChromium } from '../../../scripts/chromium.mjs';
import { buildSite, serveSite } from '../../../scripts/playground.mjs';
import { launch, prepare, type Visit } from './browser.js';

export type { Visit } from './browser.js';

/** The built site, served, and a browser to open it with. */
export interface Site {
  readonly url: string;
  /** Makes a blank page in a context of its own, watched from its first request on. */
  prepare(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens the site in such a page with a link's hash. */
  open(hash?: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  // Before anything that would have to be stopped again.
  needChromium();
  // Not in www/dist, which another run may be building at the same time.
  const dir = mkdtempSync(join(tmpdir(), 'redslot-site-'));
  await buildSite(dir);
  const { url, close } = await serveSite(dir);
  const browser = await launch();
  return {
    url,
    prepare: (options = {}) => prepare(browser, url, options),
    async open(hash = '', options = {}) {
      const visit = await prepare(browser, url, options);
      await visit.page.goto(url + hash);
      await visit.page.waitForSelector('#panel');
      return visit;
    },
    async close() {
      await browser.close();
      await close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Waits until the debounced work of the page has come to rest. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(300);
}

/** Whether the page is no wider than its window. */
export function fits({ page }: Visit): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}
