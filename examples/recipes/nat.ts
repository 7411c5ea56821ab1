// For a cluster whose nodes announce addresses that this program cannot reach: in containers, behind
// a tunnel or a forwarded port, or in the network of a managed service. CLUSTER SLOTS, MOVED and ASK
// name nodes as they announce themselves (cluster-announce-ip, -port, -hostname); natMap says how to
// reach them. redslot-wasm uses the natMap of the cluster object, so nothing has to be told twice.
//
// One reachable entry, such as a configuration endpoint, is enough to start from.
import { Cluster, type ClusterNode } from 'ioredis';

interface Address {
  host: string;
  port: number;
}

/** Where the nodes are known: the announced `host:port` of each, replicas included. */
export function connectByTable(entry: ClusterNode, natMap: Record<string, Address>): Cluster {
  return new Cluster([entry], { natMap });
}

/**
 * Where there is a rule, as for nodes that are added later: `reach` gives the address for an
 * announced host and port, or null to take them as they are. ioredis 5.5 or later, and iovalkey.
 */
export function connectByRule(
  entry: ClusterNode,
  reach: (host: string, port: number) => Address | null,
): Cluster {
  return new Cluster([entry], {
    natMap: (announced) => {
      // From the last colon on, because an IPv6 address has others.
      const colon = announced.lastIndexOf(':');
      return reach(announced.slice(0, colon), Number(announced.slice(colon + 1)));
    },
  });
}
