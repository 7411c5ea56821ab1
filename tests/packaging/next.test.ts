import { join } from 'node:path';
import { describe, it } from 'node:test';
import { answerOf } from './support/answer.ts';
import { clusterFor } from './support/cluster.ts';
import { assertBatch } from './support/facts.ts';
import { moved } from './support/moved.ts';
import { Project } from './support/project.ts';

const project = new Project('next');

const WAYS = [
  { title: 'bundled', dist: '.next', env: {} },
  { title: 'external', dist: '.next-external', env: { EXTERNAL: '1' } },
];

describe('a route handler of Next.js, built for a standalone server', () => {
  const cluster = clusterFor();

  for (const { title, dist, env } of WAYS) {
    it(`runs a batch with the packages ${title}`, async () => {
      const next = project.dependency('next', 'dist', 'bin', 'next');
      const built = { NEXT_TELEMETRY_DISABLED: '1', ...env };
      await project.output(process.execPath, [next, 'build'], built);
      const server = {
        program: process.execPath,
        args: () => [join('projects', 'next', 'server.js')],
        env: (port: number) => ({ ...cluster(), HOSTNAME: '127.0.0.1', PORT: String(port) }),
        dir: moved(project.path(dist, 'standalone')),
      };
      assertBatch(await answerOf(server, '/batch'));
    });
  }
});
