import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertBatch } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('nestjs');

describe('an application of NestJS, compiled to CommonJS', () => {
  const cluster = clusterFor();

  it('runs a batch through a provider, and ends by itself once its module is closed', async () => {
    const tsc = project.dependency('typescript', 'bin', 'tsc');
    await project.output(process.execPath, [tsc]);
    const main = project.path('built', 'main.js');
    assertBatch(await project.output(process.execPath, [main], cluster()));
  });
});
