import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertBatch, assertSlots } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('node');

/** The first version that is supported, and a late one of each line; packages for Linux on x64. */
const NODES = ['20.0', '20', '22', '24'];
const OTHER_PLATFORM = process.platform !== 'linux' || process.arch !== 'x64';
const CLIENTS = ['ioredis', 'ioredis-5', 'ioredis-5.0', 'iovalkey', 'iovalkey-0.3'];

describe('Node.js', () => {
  const cluster = clusterFor();

  function runsAll(node: string): void {
    for (const client of CLIENTS) {
      for (const file of ['batch.mjs', 'batch.cjs']) {
        it(`runs ${file} with ${client}`, async () => {
          assertBatch(await project.output(node, [file, client], cluster()));
        });
      }
    }
    for (const type of ['mjs', 'cjs']) {
      it(`runs translated.${type}, without WebAssembly`, async () => {
        assertSlots(await project.output(node, [`translated.${type}`]));
      });
      it(`runs cluster-key-slot.${type}`, async () => {
        // Of that package itself the first answer is 4015, and the server's is 8363.
        assert.equal(await project.output(node, [`cluster-key-slot.${type}`]), '8363 15495');
      });
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
      runsAll(node);
    });
  }
  describe('that runs these tests', () => runsAll(process.execPath));
});
