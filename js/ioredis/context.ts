import type { ClusterClient } from './client.js';
import type { CommandKeys } from './command-keys.js';
import type { Connections } from './connection.js';
import type { Settings } from './options.js';
import type { Topology } from './topology.js';

/** What a batch needs of the cluster it runs on. */
export interface Context {
  client: ClusterClient;
  connections: Connections;
  keys: CommandKeys;
  settings: Settings;
  topology: Topology;
}
