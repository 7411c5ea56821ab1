import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { Project } from './support/project.ts';

/** Runs the tests of a project; gives the lines that count them. */
async function counts(project: Project, args: string[], env: Record<string, string>) {
  const { code, out, err } = await project.run(process.execPath, args, env);
  const printed = `${out}\n${err}`;
  assert.equal(code, 0, printed);
  return printed.replaceAll(/\s+/g, ' ');
}

describe('test runners', () => {
  const cluster = clusterFor();

  it('of Jest take it as CommonJS, in jsdom too, and in TypeScript by ts-jest', async () => {
    const project = new Project('jest');
    const jest = project.dependency('jest', 'bin', 'jest.js');
    const told = await counts(project, [jest, '--ci', '\\.(test\\.js|spec\\.ts)$'], cluster());
    assert.match(told, /Test Suites: 4 passed, 4 total Tests: 6 passed, 6 total/);
  });

  it('of Jest take it as an ES module', async () => {
    const project = new Project('jest');
    const jest = project.dependency('jest', 'bin', 'jest.js');
    const args = ['--experimental-vm-modules', jest, '--ci', '\\.mjs$'];
    assert.match(await counts(project, args, cluster()), /Tests: 1 passed, 1 total/);
  });

  it('of Vitest take it', async () => {
    const project = new Project('vitest');
    const vitest = project.dependency('vitest', 'vitest.mjs');
    assert.match(await counts(project, [vitest, 'run'], cluster()), /Tests 2 passed \(2\)/);
  });

  it('of Node.js take it', async () => {
    const args = ['--test', '--test-reporter=tap'];
    const told = await counts(new Project('node-test'), args, cluster());
    assert.match(told, /# tests 1 # suites 0 # pass 1/);
  });
});
