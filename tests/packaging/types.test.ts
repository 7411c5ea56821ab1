import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project } from './support/project.ts';

const project = new Project('types');

/** Resolution by `main` and `typesVersions`, which TypeScript 6 deprecates and 7 no longer has. */
const CLASSIC = 'node10';
/** A late 5 and the newest in each mode that they have, the others in the newest and in the oldest. */
const VERSIONS: { version: string; modes: string[]; options: string[] }[] = [
  { version: '5.0', modes: ['nodenext', CLASSIC], options: [] },
  { version: '5.9', modes: ['nodenext', 'node16', 'bundler', CLASSIC], options: [] },
  { version: '6', modes: ['nodenext', CLASSIC], options: ['--ignoreDeprecations', '6.0'] },
  { version: '7', modes: ['nodenext', 'node16', 'bundler'], options: [] },
];

/** Compiles the files of a configuration, which is strict and checks declarations of libraries too. */
function compile(of: Project, version: string, ...options: string[]): Promise<string> {
  const tsc = of.dependency(`typescript-${version}`, 'bin', 'tsc');
  return of.output(process.execPath, [tsc, ...options]);
}

describe('TypeScript', { concurrency: 2 }, () => {
  for (const { version, modes, options } of VERSIONS) {
    for (const mode of modes) {
      it(`${version} knows the types of every entry by ${mode} resolution`, async () => {
        const out = project.path('out', `${version}-${mode}`);
        const config = ['-p', `tsconfig.${mode}.json`, '--outDir', out];
        assert.equal(await compile(project, version, ...config, ...options), '');
      });
    }
  }
  for (const ioredis of ['5', '5.0']) {
    it(`7 knows them beside ioredis ${ioredis}`, async () => {
      assert.equal(await compile(new Project(`types-ioredis-${ioredis}`), '7', '-p', '.'), '');
    });
  }
});

describe('what TypeScript emits', () => {
  const emitted = [
    ...['5.0', '5.9', '6', '7'].flatMap((version) =>
      ['use.mjs', 'use.cjs'].map((file) => `${version}-nodenext/${file}`),
    ),
    ...['5.0', '5.9', '6'].map((version) => `${version}-${CLASSIC}/use.js`),
  ];
  for (const file of emitted) {
    it(`runs as ${file}`, async () => {
      const printed = await project.output(process.execPath, [project.path('out', file)]);
      assert.equal(printed, '12182,12182,1,12182,12182,12182');
    });
  }
});
