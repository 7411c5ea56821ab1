import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { answerOf } from './support/answer.ts';
import { clusterFor } from './support/cluster.ts';
import { assertBatch } from './support/facts.ts';
import { moved } from './support/moved.ts';
import { Project } from './support/project.ts';

const project = new Project('workerd');

describe("a worker of Cloudflare's workerd", () => {
  const cluster = clusterFor();

  it('runs a batch with the module that the runtime compiles', async () => {
    await project.output(process.execPath, ['bundle.mjs']);
    const server = {
      program: createRequire(project.path('bundle.mjs'))('workerd').default,
      args: (port: number) => ['serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`],
      env: cluster,
      dir: moved(project.path('built')),
    };
    assertBatch(await answerOf(server, '/'));
  });
});
