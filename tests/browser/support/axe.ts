import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Visit } from './page.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a checker of accessibility finds wrong with the page as it is. */
export async function violations({ page }: Visit): Promise<string[]> {
  // The page's policy forbids scripts of others, so the checker goes in by the debugger's door.
  await page.evaluate(readFileSync(axe, 'utf8'));
  const results = await page.evaluate<AxeResults>('axe.run()');
  assert.ok(results.passes.length > 15, 'the checker found next to nothing to check');
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
