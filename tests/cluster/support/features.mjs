import { spawnSync } from 'node:child_process';
import { findServer } from '../../../scripts/server.mjs';
import { ClusterNode } from './node.mjs';

/**
 * Why the tests that need a command or a setting cannot run on this server, or false when they can.
 * A server of its own is started and asked.
 * @param {{ command: string } | { setting: string }} feature a command as in `cluster|shards`
 * @returns {Promise<string | false>} as `skip` of a test takes it
 */
export async function lacks(feature) {
  const { path: server, version } = findServer();
  const node = await ClusterNode.start({
    server,
    host: '127.0.0.1',
    nodeTimeout: 5000,
    config: {},
  });
  try {
    const [name, reply] =
      'command' in feature
        ? [
            feature.command.replace('|', ' ').toUpperCase(),
            await node.ask('COMMAND', 'INFO', feature.command),
          ]
        : [feature.setting, await node.ask('CONFIG', 'GET', feature.setting)];
    // An unknown command is a null in the list, an unknown setting leaves the list empty.
    return reply[0] ? false : `${version} has no ${name}`;
  } finally {
    await node.stop();
  }
}

/**
 * Why the tests that need TLS cannot run on this server, or false when they can. Servers without it
 * know its settings too, but give another reason for not starting than a missing certificate.
 * @returns {string | false} as `skip` of a test takes it
 */
export function lacksTls() {
  const { path, version } = findServer();
  const { stdout } = spawnSync(path, ['--port', '0', '--tls-port', '1'], {
    encoding: 'utf8',
    timeout: 5000,
  });
  return stdout.includes('Failed to configure TLS') ? false : `${version} is built without TLS`;
}
