import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { needChromium } from '../../../scripts/chromium.mjs';
import { buildSite, serveSite } from '../../../scripts/playground.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The built site, served, and a browser to open it with. */
export interface Site {
  readonly url: string;
  /** Makes a blank page in a context of its own, watched from its first request on. */
  prepare(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens the site in such a page with a link's hash. */
  open(hash?: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** One open page, with what went wrong on it. */
export interface Visit {
  readonly page: Page;
  /** Errors of the page, and requests to anywhere but the site. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  const executablePath = needChromium();
  // Not in www/dist, which another run may be building at the same time.
  const dir = mkdtempSync(join(tmpdir(), 'redslot-site-'));
  await buildSite(dir);
  const { url, close } = await serveSite(dir);
  const browser = await chromium.launch({ executablePath, args: FLAGS });
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

async function prepare(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 1360, height: 1000 },
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith('data:')) complaints.push(`request to ${to}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** Waits until the debounced work of the page has come to rest. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(300);
}

/** Whether the page is no wider than its window. */
export function fits({ page }: Visit): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}
