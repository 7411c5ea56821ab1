import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { Project } from './support/project.ts';

const project = new Project('types');
const OF_IOREDIS_5 = ['5', '5.0'].map((version) => ({
  version,
  project: new Project(`types-ioredis-${version}`),
}));

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
  before(() => {
    // The same program wherever it is an ES module, or becomes what its project says.
    const copies = [
      project.path('use.ts'),
      ...OF_IOREDIS_5.map((of) => of.project.path('use.mts')),
    ];
    for (const copy of copies) copyFileSync(project.path('use.mts'), copy);
  });
  for (const { version, modes, options } of VERSIONS) {
    for (const mode of modes) {
      it(`${version} knows the types of every entry by ${mode} resolution`, async () => {
        const out = project.path('out', `${version}-${mode}`);
        const config = ['-p', `tsconfig.${mode}.json`, '--outDir', out];
        assert.equal(await compile(project, version, ...config, ...options), '');
      });
    }
  }
  for (const { version, project } of OF_IOREDIS_5) {
    it(`7 knows them beside ioredis ${version}`, async () => {
      assert.equal(await compile(project, '7', '-p', '.'), '');
    });
  }
});

describe('what TypeScript emits', () => {
  const emitted = VERSIONS.flatMap(({ version, modes }) => [
    ...['use.mjs', 'use.cjs'].map((file) => `${version}-nodenext/${file}`),
    ...(modes.includes(CLASSIC) ? [`${version}-${CLASSIC}/use.js`] : []),
  ]);
  for (const file of emitted) {
    it(`runs as ${file}`, async () => {
      const printed = await project.output(process.execPath, [project.path('out', file)]);
      assert.equal(printed, '12182,12182,1,12182,12182,12182');
    });
  }
});
