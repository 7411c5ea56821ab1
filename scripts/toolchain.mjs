import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { capture, isProgram, onPath, root } from './run.mjs';

export const WASM_TARGET = 'wasm32-unknown-unknown';

/** Where cargo keeps what it fetched. */
export function cargoHome() {
  return process.env.CARGO_HOME ?? join(homedir(), '.cargo');
}

/** Where `cargo install` puts programs. */
export function cargoBin() {
  return join(process.env.CARGO_INSTALL_ROOT ?? cargoHome(), 'bin');
}

/**
 * Makes the programs that set-up installs visible to this process and its children: wasm-pack,
 * the wasm-bindgen that it keeps for itself, and those of node_modules (wasm-opt is one).
 */
export function extendPath() {
  const present = (process.env.PATH ?? '').split(delimiter);
  const kept = wasmBindgenDir();
  const first = [join(root, 'node_modules', '.bin'), ...(kept ? [kept] : [])];
  const wanted = [...first, ...present, cargoBin()];
  process.env.PATH = [...new Set(wanted)].join(delimiter);
}

/**
 * Whether node_modules holds what package-lock.json says; packages for other platforms may lack.
 * @param {string} [dir] where both are
 */
export function hasNodeModules(dir = root) {
  const lock = readPackages(join(dir, 'package-lock.json'));
  const installed = readPackages(join(dir, 'node_modules', '.package-lock.json'));
  return Object.entries(lock).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] ? installed[path].version === version : optional === true),
  );
}

/**
 * @param {string} path
 * @returns {Record<string, { version: string, optional?: boolean }>}
 */
function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

export function hasWasmTarget() {
  return existsSync(capture('rustc', ['--print', 'target-libdir', '--target', WASM_TARGET]));
}

/** @param {'fmt' | 'clippy'} tool */
export function hasCargoTool(tool) {
  try {
    capture('cargo', [tool, '--version']);
    return true;
  } catch {
    return false;
  }
}

/** The version of wasm-bindgen in Cargo.lock, which its command line tool must have too. */
export function wasmBindgenVersion() {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  return lock.match(/name = "wasm-bindgen"\nversion = "([^"]+)"/)?.[1] ?? '';
}

/** The directory of a wasm-bindgen of that version with its test runner, or null. */
export function wasmBindgenDir() {
  const cache = wasmPackCache();
  const kept = existsSync(cache) ? readdirSync(cache).sort() : [];
  const global = onPath('wasm-bindgen');
  const dirs = kept
    .filter((name) => name.startsWith('wasm-bindgen'))
    .map((name) => join(cache, name));
  if (global) dirs.unshift(join(global, '..'));
  return dirs.find(hasWasmBindgen) ?? null;
}

/** @param {string} dir */
function hasWasmBindgen(dir) {
  const tool = join(dir, 'wasm-bindgen');
  if (!isProgram(tool) || !isProgram(join(dir, 'wasm-bindgen-test-runner'))) return false;
  return capture(tool, ['--version']).split(/\s+/)[1] === wasmBindgenVersion();
}

function wasmPackCache() {
  const { WASM_PACK_CACHE, XDG_CACHE_HOME } = process.env;
  if (WASM_PACK_CACHE) return WASM_PACK_CACHE;
  const mac = process.platform === 'darwin';
  const home = mac
    ? join(homedir(), 'Library/Caches')
    : XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(home, '.wasm-pack');
}
