import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertSlots } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('without-wasm');
const node = (...args: string[]) => project.output(process.execPath, args);

const ABSENT =
  'redslot-wasm needs WebAssembly, which this runtime does not have, as with --jitless. ' +
  "Import from 'redslot-wasm/js' in place of 'redslot-wasm', which has the same API without it; " +
  'redslot-wasm/ioredis has no such form.';

describe('without WebAssembly', () => {
  const cluster = clusterFor();

  for (const type of ['mjs', 'cjs']) {
    it(`main.${type} is imported, and each first call says what to import instead`, async () => {
      assert.equal(await node('--jitless', `main.${type}`), `${ABSENT}\n${ABSENT}`);
    });

    it(`translated.${type} works`, async () => {
      assertSlots(await node('--jitless', `translated.${type}`));
    });
  }

  it('a batch is rejected with the same words, and nothing of it is sent', async () => {
    const args = ['--jitless', 'batch.mjs'];
    const told = await project.output(process.execPath, args, cluster());
    assert.equal(told, `TOPOLOGY no CLUSTER SLOTS gave no topology: ${ABSENT}`);
  });
});

describe('where compiling WebAssembly is forbidden', () => {
  it('the first call says what to import or to do, and either works', async () => {
    const [told = '', translated = '', initialized = ''] = (await node('forbidden.cjs')).split(
      '\n',
    );
    assert.match(
      told,
      /^redslot-wasm could not compile .* Import from 'redslot-wasm\/js' in place of /,
    );
    assert.match(
      told,
      /`await init\(module\)` with a WebAssembly.Module of redslot-wasm\/redslot.wasm/,
    );
    assertSlots(translated);
    assertSlots(initialized);
  });
});
