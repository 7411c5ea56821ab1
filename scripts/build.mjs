/**
 * Builds the package into `dist/`: wasm-pack makes `pkg/` from `src/`, esbuild bundles `js/` with
 * the module in it, tsc writes the declarations. A step whose inputs have not changed is skipped.
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
import { allEntries, bundle } from './bundle.mjs';
import { cargoBin, cargoHome } from './toolchain.mjs';
import { translate } from './translate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = join(root, 'target', 'build-stamps');
const self = 'scripts/build.mjs';

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
    'translate',
    ['pkg/redslot.wasm', 'package-lock.json', 'scripts/translate.mjs'],
    ['pkg/redslot_translated.js', 'pkg/redslot_translated.d.ts'],
    () =>
      translate(join(root, 'pkg', 'redslot.wasm'), join(root, 'pkg', 'redslot_translated'), run),
  );
  await step(
    'bundle',
    ['js', 'pkg', 'package-lock.json', 'scripts/bundle.mjs', 'scripts/inline.mjs'],
    [
      'dist/esm/index.js',
      'dist/cjs/index.js',
      'dist/workerd/index.js',
      'dist/esm/command-line/main.js',
    ],
    () => bundle(root),
  );
  const typed = ['js', 'pkg/redslot_wasm_bg.d.ts', 'tsconfig.json', 'tsconfig.build.json'];
  await step('types', typed, ['dist/esm/index.d.ts', 'dist/cjs/index.d.ts'], types);
  return ran;
}

function wasm() {
  rmSync(join(root, 'pkg'), { recursive: true, force: true });
  const target = ['--target', 'bundler', '--release', '--no-pack', '--out-dir', 'pkg'];
  run('wasm-pack', ['--log-level', 'warn', 'build', ...target, '--', ...withoutPaths()]);
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

function types() {
  const [esm, cjs] = [join(root, 'dist', 'esm'), join(root, 'dist', 'cjs')];
  for (const path of [...declarations(esm), ...declarations(cjs)]) rmSync(path);
  run('tsc', ['-p', 'tsconfig.build.json']);
  const told = reachable(allEntries.map((entry) => join(esm, `${entry}.d.ts`)));
  for (const path of declarations(esm)) {
    if (told.has(path)) cpSync(path, join(cjs, relative(esm, path)));
    else rmSync(path);
  }
  // What `require` gives is the function itself, which tsc does not declare of an ES module.
  copyFileSync(join(root, 'js/cluster-key-slot.d.cts'), join(cjs, 'cluster-key-slot.d.ts'));
}

/**
 * The declaration files that the given ones lead to; all others are internal.
 * @param {string[]} entries
 */
function reachable(entries) {
  const found = new Set(entries);
  for (const path of found) {
    for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)\.js'/g))
      found.add(`${join(path, '..', to)}.d.ts`);
  }
  return found;
}

/** @param {string} dir */
function declarations(dir) {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.d.ts')).map((file) => join(dir, file));
}

/**
 * Options of cargo by which the sources of crates, which panics name, are not where they lie on this
 * machine nor named after the registry they come from. They are added to the flags of
 * .cargo/config.toml.
 */
function withoutPaths() {
  // Until then there may be no sources.
  run('cargo', ['fetch', '--quiet']);
  const sources = join(cargoHome(), 'registry', 'src');
  const registries = existsSync(sources) ? readdirSync(sources) : [];
  const flags = registries.map(
    (registry) => `--remap-path-prefix=${join(sources, registry)}=/crates`,
  );
  return ['--config', `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`];
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const bin = join(root, 'node_modules', '.bin');
  const PATH = [bin, process.env.PATH, cargoBin()].join(delimiter);
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
