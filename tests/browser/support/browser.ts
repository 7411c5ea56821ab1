import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { needChromium } from '../../../scripts/chromium.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One open page, with what went wrong on it. */
export interface Visit {
  readonly page: Page;
  /** Errors of the page, and requests to anywhere but the site. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** The Chromium of this machine, which asks nobody for anything by itself. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: needChromium(), args: FLAGS });
}

/** Makes a blank page of a site in a context of its own, watched from its first request on. */
export async function prepare(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
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
