import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { preview } from 'vite';
import { launch, prepare } from '../browser/support/browser.ts';
import { assertSlots } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('browser');

/** What a page, and each worker of it, found with `redslot-wasm` and with `redslot-wasm/js`. */
type Found = Record<string, [main: object, translated: object]>;

const PAGES = [
  {
    title: 'without a bundler',
    path: 'direct/page.html',
    places: ['page', 'worker', 'service worker'],
  },
  { title: 'bundled by Vite', path: 'built/page.html', places: ['page', 'worker'] },
];

const POLICY = "default-src 'none'; script-src 'self'";

describe('a page under a strict Content-Security-Policy', () => {
  let browser: Browser;

  before(async () => {
    const vite = project.dependency('vite', 'bin', 'vite.js');
    const bundled = await project.run(process.execPath, [vite, 'build']);
    assert.deepEqual(bundled, { code: 0, out: '', err: '' });
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
  });

  /** What a page of the project shows, served with a policy. */
  async function found(path: string, policy: string): Promise<Found> {
    const { url, close } = await serve(policy);
    const { page, complaints, close: leave } = await prepare(browser, url);
    try {
      await page.goto(url + path);
      const text = await page.textContent('#found', { timeout: 10_000 });
      assert.deepEqual(complaints, []);
      return JSON.parse(text ?? '');
    } catch (cause) {
      throw new Error(complaints.join('\n'), { cause });
    } finally {
      await leave();
      await close();
    }
  }

  for (const { title, path, places } of PAGES) {
    it(`computes ${title} where the policy allows WebAssembly`, async () => {
      const all = await found(path, `${POLICY} 'wasm-unsafe-eval'`);
      assert.deepEqual(Object.keys(all), places);
      for (const entries of Object.values(all)) {
        for (const slots of entries) assertSlots(JSON.stringify(slots));
      }
    });

    it(`is told ${title} what to import where the policy forbids it, and that works`, async () => {
      const all = await found(path, POLICY);
      assert.deepEqual(Object.keys(all), places);
      for (const [main, translated] of Object.values(all)) {
        assert.match(JSON.stringify(main), /Import from 'redslot-wasm\/js/);
        assert.match(JSON.stringify(main), /"cause":"CompileError"/);
        assertSlots(JSON.stringify(translated));
      }
    });
  }
});

/** Serves the files of the project as they are, installed packages included. */
async function serve(policy: string) {
  const server = await preview({
    configFile: false,
    // Vite warns of a root that is served as it is.
    root: dirname(project.dir),
    appType: 'mpa',
    logLevel: 'warn',
    build: { outDir: basename(project.dir) },
    // Port 0 leaves the choice to the system.
    preview: {
      host: '127.0.0.1',
      port: 0,
      strictPort: true,
      headers: { 'Content-Security-Policy': policy },
    },
  });
  const address = server.httpServer.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
