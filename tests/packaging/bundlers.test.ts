import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertBatch } from './support/facts.ts';
import { moved } from './support/moved.ts';
import { Project } from './support/project.ts';

type Format = 'esm' | 'cjs';

const BUNDLERS = ['esbuild', 'webpack', 'rspack', 'rollup', 'vite'];

const PROGRAMS: [name: string, format: Format][] = [
  ['program.mjs', 'esm'],
  ['program.mjs', 'cjs'],
  ['program.cjs', 'cjs'],
];

/** Named by `js/ioredis/diagnostics.ts` alone. */
const OF_PIPELINES = /redslot:batch/;

const project = new Project('bundlers');

describe('a program bundled by', () => {
  const cluster = clusterFor();
  const dirs: string[] = [];

  after(() => {
    for (const dir of dirs) rmSync(dir, { recursive: true });
  });

  /** Bundles a program away from all packages; gives the paths of what was made, and the warnings. */
  async function bundle(bundler: string, program: string, format: Format) {
    const built = project.path(`built-${bundler}-${program}-${format}`);
    mkdirSync(built, { recursive: true });
    const file = join(built, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    const args = ['bundle.mjs', bundler, program, file, format];
    const warnings: string[] = JSON.parse(await project.output(process.execPath, args));
    const dir = moved(built);
    dirs.push(dir);
    return { files: readdirSync(dir).map((name) => join(dir, name)), warnings };
  }

  for (const bundler of BUNDLERS) {
    describe(bundler, () => {
      for (const [program, format] of PROGRAMS) {
        it(`is one file from ${program} to ${format}, and runs a batch wherever it is`, async () => {
          const { files, warnings } = await bundle(bundler, program, format);
          // Rollup tells of the circular imports of ioredis.
          const ours = warnings.filter((text) => !text.includes('node_modules/ioredis/'));
          assert.deepEqual(ours, []);
          assert.equal(files.length, 1, files.join());
          assert.match(readFileSync(files[0] ?? '', 'utf8'), OF_PIPELINES);
          assertBatch(await project.output(process.execPath, files, cluster()));
        });
      }

      it('contains nothing of the pipelines when it imports keySlot alone', async () => {
        const { files, warnings } = await bundle(bundler, 'key-slot.mjs', 'esm');
        assert.deepEqual(warnings, []);
        assert.equal(await project.output(process.execPath, files), '3443');
        assert.doesNotMatch(readFileSync(files[0] ?? '', 'utf8'), OF_PIPELINES);
      });

      it('contains nothing of the package when it uses none of its imports', async () => {
        const { files, warnings } = await bundle(bundler, 'unused.mjs', 'esm');
        assert.deepEqual(warnings, []);
        assert.equal(await project.output(process.execPath, files), 'nothing of it was used');
        assert.doesNotMatch(readFileSync(files[0] ?? '', 'utf8'), /slot|redis/i);
      });
    });
  }
});
