import { delimiter } from 'node:path';
import { runQuietly } from './progress.mjs';
import { Failure, isMain, onPath, runMain } from './run.mjs';
import { findServer } from './server.mjs';
import {
  cargoBin,
  extendPath,
  hasCargoTool,
  hasNodeModules,
  hasWasmTarget,
  WASM_TARGET,
  wasmBindgenDir,
  wasmBindgenVersion,
} from './toolchain.mjs';

const NODE_MAJOR = 20;
const WASM_PACK = '0.15.1';
const CARGO_FUZZ = '0.13.2';
const OUT_DIR = 'target/setup';

// Tools that run for a tenth of a second need no optimisation; without it they are built in a third
// of the time.
const FAST_BUILD = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
};

/**
 * @typedef {object} Step
 * @property {() => boolean} done
 * @property {() => string} says what happens, why, and roughly how long it takes
 * @property {() => Promise<void>} run
 */

/** @type {Step[]} */
const steps = [
  {
    done: () => hasNodeModules(),
    says: () => 'npm ci: the JavaScript packages of package-lock.json, about 10 seconds',
    run: () => runQuietly('npm', ['ci', '--no-audit', '--no-fund']),
  },
  {
    done: hasWasmTarget,
    says: () => `rustup target add ${WASM_TARGET}: to compile for WebAssembly, about 10 seconds`,
    run: () => rustup('target', 'add', WASM_TARGET),
  },
  {
    done: () => hasCargoTool('fmt'),
    says: () => 'rustup component add rustfmt: npm test checks the format, about 5 seconds',
    run: () => rustup('component', 'add', 'rustfmt'),
  },
  {
    done: () => hasCargoTool('clippy'),
    says: () => 'rustup component add clippy: npm test lints the Rust code, about 5 seconds',
    run: () => rustup('component', 'add', 'clippy'),
  },
  {
    done: () => onPath('wasm-pack') !== null,
    says: () => `cargo install wasm-pack ${WASM_PACK}: builds the package, 1 to 3 minutes, once`,
    run: () => cargoInstall('wasm-pack', WASM_PACK),
  },
  {
    done: () => wasmBindgenDir() !== null,
    says: () =>
      `wasm-bindgen ${wasmBindgenVersion()}: wasm-pack needs this version; ` +
      'seconds where it can download one, else it is built in 2 to 4 minutes, once',
    run: installWasmBindgen,
  },
];

/**
 * Makes what building and testing need, and leaves alone what is there. Afterwards this process
 * finds the tools on its PATH.
 */
export async function setup() {
  checkMachine();
  extendPath();
  await make(steps);
  findServer((name) =>
    console.log(`set-up: ${name}: a real server to test with, fetched, about 10 seconds`),
  );
}

/**
 * Takes the steps that are not done.
 * @param {Step[]} steps
 */
async function make(steps) {
  for (const { done, says, run } of steps) {
    if (done()) continue;
    console.log(`set-up: ${says()}`);
    await run();
    extendPath();
  }
}

function checkMachine() {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < NODE_MAJOR) {
    throw new Failure(`This needs Node ${NODE_MAJOR} or later; this is Node ${node}.`);
  }
  extendPath();
  if (!onPath('cargo') || !onPath('rustc')) {
    throw new Failure('cargo is not installed. Install Rust with rustup, then run this again.');
  }
  checkCompiler('cc', 'gcc', 'no C linker (cc), which Rust needs');
}

/**
 * @param {string} program
 * @param {string} from the package that has it
 * @param {string} lack
 */
function checkCompiler(program, from, lack) {
  if (onPath(program)) return;
  const how = process.platform === 'darwin' ? 'xcode-select --install' : `apt-get install ${from}`;
  throw new Failure(`There is ${lack}. Install one: ${how}`);
}

/** @param {...string} args */
function rustup(...args) {
  if (onPath('rustup')) return runQuietly('rustup', args);
  throw new Failure(
    `rustup is not installed, so "rustup ${args.join(' ')}" cannot run. ` +
      'Install the same with the tool that Rust came with, or install Rust with rustup.',
  );
}

/**
 * Makes what `npm run fuzz` needs beyond that: a compiler for libFuzzer, which is C++, and cargo-fuzz.
 */
export async function setupFuzzer() {
  if (!process.env.CXX) checkCompiler('c++', 'g++', 'no C++ compiler (c++), which libFuzzer needs');
  await make([
    {
      done: () => onPath('cargo-fuzz') !== null,
      says: () =>
        `cargo install cargo-fuzz ${CARGO_FUZZ}: runs the fuzz targets, 1 to 2 minutes, once`,
      run: () => cargoInstall('cargo-fuzz', CARGO_FUZZ),
    },
  ]);
}

/**
 * Makes what `npm run api` needs beyond that: TypeDoc, with a compiler of its own, as TypeScript 7
 * has no API that it could use.
 * @param {string} dir where its package.json is
 */
export async function setupApi(dir) {
  await make([
    {
      done: () => hasNodeModules(dir),
      says: () => 'npm ci in www/api: TypeDoc for the API reference, about 10 seconds',
      run: () => runQuietly('npm', ['ci', '--no-audit', '--no-fund', '--prefix', dir]),
    },
  ]);
}

/**
 * @param {string} name
 * @param {string} version
 */
async function cargoInstall(name, version) {
  const install = ['install', name, '--version', version];
  try {
    await runQuietly('cargo', [...install, '--locked'], FAST_BUILD);
  } catch {
    // A version that its lock file names may have been withdrawn.
    await runQuietly('cargo', install, FAST_BUILD);
  }
}

// wasm-pack keeps its wasm-bindgen in a cache of its own, apart from any that the user installed,
// and fetches or builds it as part of a build. A development build is not touched by FAST_BUILD.
async function installWasmBindgen() {
  const build = ['build', '--dev', '--target', 'web', '--out-dir', OUT_DIR];
  try {
    await runQuietly('wasm-pack', build, FAST_BUILD);
  } catch (error) {
    // Another wasm-pack at the same time may have put it there first.
    if (wasmBindgenDir() === null) throw error;
  }
}

async function main() {
  const started = Date.now();
  const outside = !(process.env.PATH ?? '').split(delimiter).includes(cargoBin());
  await setup();
  console.log(`Everything is set up (${((Date.now() - started) / 1000).toFixed(1)} s).`);
  if (outside) console.log(`To type wasm-pack by hand, add ${cargoBin()} to your PATH.`);
}

if (isMain(import.meta.url)) await runMain(main);
