// For a user of the server's access control list that may use some keys and commands only.
//
// ioredis and redslot-wasm send a few commands of their own. A user that may not run CLUSTER SLOTS or
// CLUSTER INFO never gets a connected cluster; the batch then ends with TOPOLOGY, TIMEOUT or CLOSED,
// and nothing was sent. What such a user may not do otherwise is an error of that command alone:
// NOPERM at its position, or in `failures` of a command over several keys.
import { Cluster, type ClusterNode } from 'ioredis';

/** What the client itself needs, beside the commands of the application. */
export const CLIENT_RULES = [
  '+cluster|slots', // the topology, for ioredis and for redslot-wasm
  '+cluster|info', // ioredis asks whether the cluster is up; not with enableReadyCheck: false
  '+info', // ioredis asks whether a node has loaded; without it, a warning per node
  '+asking', // while a slot moves; without it, keys that went end with REDIRECTS
  '+readonly', // for replicas, with scaleReads
];

/** ACL SETUSER takes these, on every node, replicas too: no node tells the others of its users. */
export function rulesOf(password: string, keys: string, commands: string[]): string[] {
  return ['reset', 'on', `>${password}`, `~${keys}`, ...commands, ...CLIENT_RULES];
}

export function connectAs(username: string, password: string, nodes: ClusterNode[]): Cluster {
  // In redisOptions, because they go to every node and not only to those named here.
  return new Cluster(nodes, { redisOptions: { username, password } });
}
