import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../scripts/run.mjs';
import { cargoHome } from '../../scripts/toolchain.mjs';
import { Project, tarball } from './support/project.ts';

const project = new Project('package');
const unpacked = project.path('node_modules', 'redslot-wasm');
const pathOf = (file: string) => join(unpacked, file);
const manifest = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
  .filter((file) => statSync(pathOf(file)).isFile())
  .sort();
const ofDist = (ending: string, dir = '') =>
  files.filter((file) => file.startsWith(`dist/${dir}`) && file.endsWith(ending));

/** It asks for ioredis only where it is told of a cluster. */
const COMMAND_LINE = 'dist/esm/command-line/main.js';

/** All that runs, and the module by itself; anything else in `dist/` declares types. */
const RUNNING = [
  ...['cjs', 'esm', 'workerd'].flatMap((dir) => [
    `dist/${dir}/cluster-key-slot.js`,
    `dist/${dir}/index.js`,
    `dist/${dir}/ioredis/index.js`,
    `dist/${dir}/package.json`,
  ]),
  'dist/cjs/js.js',
  COMMAND_LINE,
  'dist/esm/js.js',
  'dist/redslot.wasm',
];

/** Bytes that are downloaded, and that then lie on a disk. */
const PACKED_BUDGET = 640_000;
const UNPACKED_BUDGET = 2_000_000;

/** Every path in a part of package.json, whatever conditions lead to it. */
function targets(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  return Object.values(part as object).flatMap(targets);
}

interface Compiler {
  preProcessFile(
    text: string,
    readImports: boolean,
    readRequires: boolean,
  ): { importedFiles: { fileName: string }[] };
}
const compiler: Compiler = createRequire(project.path('here'))('typescript-5.9');

/** What a file imports, requires or takes types from. */
function imports(file: string): string[] {
  const text = readFileSync(pathOf(file), 'utf8');
  return compiler.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** A text as it may stand in a file: as it is, or in base64 at any place of it. */
function forms(text: string): string[] {
  const encoded = [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + text);
    // The first and the last group also hold what is around the text.
    return bytes.toString('base64').slice(4, -4);
  });
  return [text, ...encoded];
}

describe('the tarball', () => {
  it('holds what runs, its types, the readme and the licence, and nothing else', () => {
    const types = [...ofDist('.d.ts', 'cjs/'), ...ofDist('.d.ts', 'esm/')];
    const expected = ['LICENSE', 'README.ko.md', 'README.md', 'package.json', ...RUNNING, ...types];
    assert.deepEqual(files, expected.sort());
  });

  it('declares the same files for import and for require', () => {
    const esm = ofDist('.d.ts', 'esm/').map((file) => file.replace('/esm/', '/cjs/'));
    assert.deepEqual(esm, ofDist('.d.ts', 'cjs/'));
    assert.ok(esm.includes('dist/cjs/index.d.ts'));
  });

  it('holds whatever its package.json points to', () => {
    const { bin, main, module, types, exports, typesVersions } = manifest;
    const pointed = targets({ bin, main, module, types, exports, typesVersions });
    assert.ok(pointed.includes('./dist/workerd/index.js'));
    assert.deepEqual(
      pointed.filter((path) => !files.includes(join(path))),
      [],
    );
  });

  it('holds whatever its files import, and a program of it needs only modules of Node.js', () => {
    const outside = new Set<string>();
    for (const file of [...ofDist('.js'), ...ofDist('.d.ts')]) {
      for (const to of imports(file)) {
        if (!to.startsWith('.')) {
          if (file !== COMMAND_LINE) outside.add(`${file.split('/').slice(2).join('/')}: ${to}`);
        } else {
          const named = file.endsWith('.d.ts') ? to.replace(/\.js$/, '.d.ts') : to;
          assert.ok(files.includes(join(dirname(file), named)), `${file} imports ${to}`);
        }
      }
    }
    const expected = ['diagnostics_channel', 'events', 'timers/promises', 'util/types'];
    assert.deepEqual(
      [...outside].sort(),
      expected.map((name) => `ioredis/index.js: node:${name}`),
    );
  });

  it('names no path of the machine that built it, nor where its crates came from', () => {
    const cargo = cargoHome();
    const registries = readdirSync(join(cargo, 'registry', 'src'));
    assert.ok(registries.length > 0);
    const secrets = [root, `${homedir()}/.`, cargo, ...registries].flatMap(forms);
    for (const file of files) {
      const text = readFileSync(pathOf(file), 'latin1');
      assert.deepEqual(
        secrets.filter((secret) => text.includes(secret)),
        [],
        file,
      );
    }
  });

  it('keeps within its budgets', (context) => {
    const packed = statSync(tarball).size;
    const whole = files.reduce((sum, file) => sum + statSync(pathOf(file)).size, 0);
    context.diagnostic(`${packed} bytes packed, ${whole} unpacked`);
    assert.ok(packed < PACKED_BUDGET, `${packed} bytes packed`);
    assert.ok(whole < UNPACKED_BUDGET, `${whole} bytes unpacked`);
  });

  it('has nothing to complain of for publint', async () => {
    const publint = project.dependency('publint', 'src', 'cli.js');
    const told = await project.output(process.execPath, [publint, 'run', tarball, '--strict']);
    assert.match(told, /All good!$/);
  });

  it('has nothing to complain of for Are the Types Wrong', async () => {
    const attw = project.dependency('@arethetypeswrong/cli', 'dist', 'index.js');
    // The module itself is for loaders and fetch, not for the import of a name with a type.
    const args = [attw, tarball, '--exclude-entrypoints', 'redslot.wasm', '--no-color'];
    assert.match(await project.output(process.execPath, args), /No problems found/);
  });
});
