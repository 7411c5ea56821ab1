import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertBatch, assertSlots } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('runtimes');
const OTHER_PLATFORM = process.platform !== 'linux' || process.arch !== 'x64';

const RUNTIMES = [
  { name: 'Bun', program: project.dependency('@oven/bun-linux-x64', 'bin', 'bun'), args: ['run'] },
  {
    name: 'Deno',
    program: project.dependency('@deno/linux-x64-glibc', 'deno'),
    args: ['run', '--allow-all', '--node-modules-dir=manual'],
  },
];

for (const { name, program, args } of RUNTIMES) {
  describe(name, { skip: OTHER_PLATFORM && 'the pinned binaries are for Linux on x64' }, () => {
    const cluster = clusterFor();

    it('computes slots and partitions, with WebAssembly and without', async () => {
      const told = await project.output(program, [...args, 'slots.mjs']);
      const [main = '', translated = '', calculated] = told.split('\n');
      assertSlots(main);
      assertSlots(translated);
      assert.equal(calculated, '8363');
    });

    for (const file of ['batch.mjs', 'batch.cjs']) {
      it(`sends a batch of ${file} through ioredis`, async () => {
        assertBatch(await project.output(program, [...args, file], cluster()));
      });
    }
  });
}
