import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertBatch } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('node');

/** The first version that is supported, and a late one of each line; packages for Linux on x64. */
const NODES = ['20.0', '20', '22', '24'];
const OTHER_PLATFORM = process.platform !== 'linux' || process.arch !== 'x64';
const IOREDIS = ['ioredis', 'ioredis-5', 'ioredis-5.0'];

describe('Node.js', () => {
  const cluster = clusterFor();

  function runsBatches(node: string): void {
    for (const ioredis of IOREDIS) {
      for (const file of ['batch.mjs', 'batch.cjs']) {
        it(`runs ${file} with ${ioredis}`, async () => {
          assertBatch(await project.output(node, [file, ioredis], cluster()));
        });
      }
    }
  }

  for (const version of NODES) {
    describe(version, {
      skip: OTHER_PLATFORM && 'the pinned binaries are for Linux on x64',
    }, () => {
      const node = project.dependency(`node-${version}`, 'bin', 'node');
      it('is of the version that its name says', async () => {
        assert.match(await project.output(node, ['--version']), new RegExp(`^v${version}\\.`));
      });
      runsBatches(node);
    });
  }
  describe('that runs these tests', () => runsBatches(process.execPath));
});
