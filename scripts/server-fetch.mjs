import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheDir } from './cache.mjs';
import { capture, Failure, onPath } from './run.mjs';
import { catalogue } from './server-catalogue.mjs';

/** @typedef {import('./server-catalogue.mjs').WheelSource} WheelSource */
/** @typedef {import('./server-catalogue.mjs').DebianSource} DebianSource */

const BINARY = /^(redis|valkey)-server$/;
const LAUNCHER = 'launch-server';

/**
 * The path of a server from the catalogue if it is in the cache already, or null.
 * @param {string} name
 */
export function cachedServer(name) {
  const path = join(cacheDir('servers'), name, LAUNCHER);
  return existsSync(path) ? path : null;
}

/**
 * Fetches a server from the catalogue into the cache and gives its path.
 * @param {string} name
 */
export function fetchServer(name) {
  const cached = cachedServer(name);
  if (cached) return cached;
  const source = catalogue[name];
  if (!source) throw new Failure(`no server is called ${name}`);
  const servers = cacheDir('servers');
  // Prepared beside its place and renamed, so that an interrupted run leaves nothing half done.
  const dir = mkdtempSync(join(servers, 'new-'));
  try {
    if (source.kind === 'wheel') unpackWheel(source, dir);
    else unpackDebian(source, dir);
    writeLauncher(dir);
    const place = join(servers, name);
    if (!existsSync(place)) renameSync(dir, place);
    return join(place, LAUNCHER);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {WheelSource} source
 * @param {string} dir
 */
function unpackWheel({ project, version, python: pythonVersion, sha256 }, dir) {
  const platform = `${process.platform}-${process.arch}`;
  const expected = sha256[platform];
  if (!expected) throw new Failure(`the wheel ${project} does not exist for ${platform}`);
  const python = onPath('python3');
  if (!python) throw new Failure('python3 is not installed, so pip cannot fetch a wheel');
  const pip = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--dest',
    dir,
  ];
  const tag = pythonVersion ? ['--python-version', pythonVersion] : [];
  capture(python, [...pip, ...tag, `${project}==${version}`]);
  const wheel = join(dir, readdirSync(dir).find((file) => file.endsWith('.whl')) ?? '');
  const actual = createHash('sha256').update(readFileSync(wheel)).digest('hex');
  if (actual !== expected)
    throw new Failure(`the wheel ${project} has the unexpected hash ${actual}`);
  capture(python, ['-m', 'zipfile', '-e', wheel, dir]);
  rmSync(wheel);
}

/**
 * Unpacks a package and those of its dependencies that are not installed; needs no root.
 * @param {DebianSource} source
 * @param {string} dir
 */
function unpackDebian({ package: name }, dir) {
  if (!onPath('apt-get') || !onPath('dpkg')) throw new Failure('apt-get is not on this machine');
  const lists = cacheDir('apt', 'lists');
  const archives = cacheDir('apt', 'archives');
  const options = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${archives}`];
  const apt = [...options, '-o', 'APT::Sandbox::User=', '-q'];
  capture('apt-get', [...apt, 'update']);
  const plan = capture('apt-get', [
    ...apt,
    '--simulate',
    '--no-install-recommends',
    'install',
    name,
  ]);
  const packages = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  capture('apt-get', [...apt, 'download', ...packages], { cwd: dir });
  for (const file of readdirSync(dir)) {
    capture('dpkg', ['-x', file, 'root'], { cwd: dir });
    rmSync(join(dir, file));
  }
  rmSync(dirname(lists), { recursive: true, force: true });
}

// The unpacked server may need unpacked libraries. `exec` keeps the process id.
/** @param {string} dir */
function writeLauncher(dir) {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const binary = files.find((file) => isServerBinary(join(dir, file)));
  if (!binary) throw new Failure('the package holds no server binary');
  chmodSync(join(dir, binary), 0o755);
  const libraries = new Set(files.filter((file) => /\.so(\.|$)/.test(file)).map(dirname));
  const path = [...libraries].map((library) => `$here/${library}`).join(':');
  const lines = [
    '#!/bin/sh',
    'here=$(cd "$(dirname "$0")" && pwd)',
    ...(path ? [`export LD_LIBRARY_PATH="${path}"`] : []),
    `exec "$here/${relative('.', binary)}" "$@"`,
  ];
  const launcher = join(dir, LAUNCHER);
  writeFileSync(launcher, `${lines.join('\n')}\n`);
  chmodSync(launcher, 0o755);
  capture(launcher, ['--version']);
}

/** @param {string} path */
function isServerBinary(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    BINARY.test(name) &&
    statSync(path, { throwIfNoEntry: false })?.isFile() === true &&
    statSync(path).size > 100_000
  );
}
