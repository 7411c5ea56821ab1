/**
 * Builds the package into `dist/`: wasm-pack makes `pkg/` from `src/`, esbuild bundles `js/` with
 * the module inlined, tsc writes the declarations. A step whose inputs have not changed is skipped.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inline } from './inline.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = join(root, 'target', 'build-stamps');
const self = 'scripts/build.mjs';

/** What is bundled: one entry per export, each importing the main one rather than containing it. */
const ENTRIES = ['index', 'ioredis/index', 'cluster-key-slot'];

/**
 * Builds what is out of date.
 *
 * @returns {Promise<string[]>} the names of the steps that ran
 */
export async function build() {
  /** @type {string[]} */
  const ran = [];
  /** @type {(name: string, inputs: string[], outputs: string[], work: () => unknown) => Promise<void>} */
  const step = async (name, inputs, outputs, work) => {
    const stamp = join(stamps, name);
    const hash = hashOf([self, ...inputs]);
    const fresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
    if (fresh && outputs.every((path) => existsSync(join(root, path)))) return;
    await work();
    mkdirSync(stamps, { recursive: true });
    writeFileSync(stamp, hash);
    ran.push(name);
  };
  const crate = ['src', 'Cargo.toml', 'Cargo.lock', '.cargo', 'rust-toolchain.toml'];
  await step('wasm', crate, ['pkg/redslot.wasm', 'pkg/redslot_wasm_bg.js'], wasm);
  await step(
    'bundle',
    ['js', 'pkg', 'package-lock.json', 'scripts/inline.mjs'],
    ['dist/esm/index.js', 'dist/cjs/index.js'],
    bundle,
  );
  const typed = ['js', 'pkg/redslot_wasm_bg.d.ts', 'tsconfig.json', 'tsconfig.build.json'];
  await step('types', typed, ['dist/esm/index.d.ts', 'dist/cjs/index.d.ts'], types);
  return ran;
}

function wasm() {
  rmSync(join(root, 'pkg'), { recursive: true, force: true });
  const target = ['--target', 'bundler', '--release', '--no-pack', '--out-dir', 'pkg'];
  run('wasm-pack', ['--log-level', 'warn', 'build', ...target]);
  const at = (/** @type {string} */ name) => join(root, 'pkg', name);
  // The glue module is used by itself, because the package starts the instance; its own
  // declarations and a name for the module that no declaration file claims are what it lacks.
  copyFileSync(at('redslot_wasm_bg.wasm'), at('redslot.wasm'));
  copyFileSync(at('redslot_wasm.d.ts'), at('redslot_wasm_bg.d.ts'));
  appendFileSync(
    at('redslot_wasm_bg.d.ts'),
    '\nexport function __wbg_set_wasm(exports: WebAssembly.Exports): void;\n',
  );
}

async function bundle() {
  const { build: esbuild } = await import('esbuild');
  const present = ENTRIES.filter((entry) => existsSync(join(root, 'js', `${entry}.ts`)));
  for (const format of /** @type {const} */ (['esm', 'cjs'])) {
    const outdir = join(root, 'dist', format);
    await esbuild({
      absWorkingDir: root,
      entryPoints: present.map((entry) => ({ in: `js/${entry}.ts`, out: entry })),
      outdir,
      format,
      bundle: true,
      platform: 'neutral',
      target: 'es2022',
      external: ['ioredis', 'node:*'],
      plugins: [mainEntryStaysOutside, commandLists, inlinedModule],
      legalComments: 'none',
      logLevel: 'warning',
    });
    const type = format === 'esm' ? 'module' : 'commonjs';
    writeFileSync(join(outdir, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  copyFileSync(join(root, 'pkg', 'redslot.wasm'), join(root, 'dist', 'redslot.wasm'));
}

/**
 * Leaves imports of the main entry in place, so that all entries share its one instance.
 * @type {import('esbuild').Plugin}
 */
const mainEntryStaysOutside = {
  name: 'main-entry-stays-outside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.\.?\/index\.js$/ }, ({ path, resolveDir }) => {
      const main = join(resolveDir, path) === join(root, 'js', 'index.js');
      return main ? { path, external: true } : undefined;
    });
  },
};

/** Arguments among which every command with keys beyond its first argument finds one more. */
const MANY_KEYS = 'k 1 2 STORE STREAMS 5 STORE 7 STOREDIST KEYS 10'.split(' ');

/**
 * Gives two lists out of the command table that ioredis itself uses, without the table: the
 * commands that change nothing, and those whose first argument is their only key.
 * @type {import('esbuild').Plugin}
 */
const commandLists = {
  name: 'command-lists',
  setup(esbuild) {
    const filter = /^virtual:command-lists$/;
    esbuild.onResolve({ filter }, ({ path }) => ({ path, namespace: 'virtual' }));
    esbuild.onLoad({ filter, namespace: 'virtual' }, async () => {
      const { getKeyIndexes, hasFlag, list } = await import('@ioredis/commands');
      const readOnly = list.filter((name) => hasFlag(name, 'readonly'));
      const firstKey = list.filter((name) => String(getKeyIndexes(name, MANY_KEYS)) === '0');
      return { contents: JSON.stringify({ readOnly, firstKey }), loader: 'json' };
    });
  },
};

/** @type {import('esbuild').Plugin} */
const inlinedModule = {
  name: 'inlined-module',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: JSON.stringify(inline(readFileSync(path))),
      loader: 'json',
    }));
  },
};

function types() {
  run('tsc', ['-p', 'tsconfig.build.json']);
  const isDeclaration = (/** @type {string} */ path) =>
    statSync(path).isDirectory() || path.endsWith('.d.ts');
  cpSync(join(root, 'dist', 'esm'), join(root, 'dist', 'cjs'), {
    recursive: true,
    filter: isDeclaration,
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const bin = join(root, 'node_modules', '.bin');
  const cargo = join(process.env.CARGO_HOME ?? join(process.env.HOME ?? '', '.cargo'), 'bin');
  const PATH = [bin, process.env.PATH, cargo].join(delimiter);
  // Flags from outside would replace those of .cargo/config.toml, which the module needs.
  const { RUSTFLAGS, CARGO_ENCODED_RUSTFLAGS, ...env } = process.env;
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, PATH },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
      return;
    }
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest('hex');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const ran = await build();
  console.log(ran.length > 0 ? `built: ${ran.join(', ')}` : 'nothing to build');
}
