import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PARTS } from '../../benches/support/parts.mjs';
import { root } from '../../scripts/run.mjs';

const RESULTS = join(root, 'benches', 'RESULTS.md');
const TIMEOUT = 120_000;

/** Runs the benchmarks and gives what they print. */
async function bench(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, ['scripts/bench.mjs', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, out };
}

/** What each part printed, by its name. */
function byPart(out: string): Map<string, string> {
  const [, ...texts] = out.split(/^== /m);
  return new Map(texts.map((text) => [text.slice(0, text.indexOf('\n')), text]));
}

const results = () => (existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : null);

describe('the benchmarks', () => {
  it('each contender of the benchmarks gives the same results', { timeout: TIMEOUT }, async () => {
    const before = results();
    const { code, out } = await bench('--quick');
    assert.equal(code, 0, out);
    const parts = byPart(out);
    assert.deepEqual([...parts.keys()], PARTS, out);
    for (const [part, text] of parts) {
      const tables = text.match(/^ {2}(work|file) {2}.*$/gm) ?? [];
      const checks = text.match(/^ {2}Compared first: \S.*$/gm) ?? [];
      assert.ok(tables.length > 0, `${part} reports nothing`);
      assert.equal(checks.length, tables.length, `${part} compares its results`);
      assert.doesNotMatch(text, /NaN|Infinity|undefined/);
    }
    assert.match(out, /^benches\/RESULTS\.md is left as it is/m);
    assert.equal(results(), before);
  });

  it('names the parts when asked for one that is not there', async () => {
    const { code, out } = await bench('nothing');
    assert.equal(code, 1);
    for (const part of PARTS) assert.ok(out.includes(part), part);
  });
});
