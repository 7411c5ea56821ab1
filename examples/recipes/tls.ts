// For a cluster behind TLS, such as ElastiCache with encryption in transit.
//
// A client checks that a certificate is for the host that it connected to, so what counts is by what
// host ioredis connects to each node:
//
// - Names of the nodes that it starts from are looked up, and then the certificate has to be for an
//   IP address: ERR_TLS_CERT_ALTNAME_INVALID. A `dnsLookup` that gives the name back keeps it.
// - All other nodes are connected to by what CLUSTER SLOTS says. A managed service announces names;
//   a server of your own does with `cluster-announce-hostname` and
//   `cluster-preferred-endpoint-type hostname` (Redis 7). Otherwise these are addresses, and the
//   certificate has to be for them, or you say what names to expect.
// - `servername` replaces the host in this check for every node. It fits nodes with one name in
//   common; with a name for each node, all but one are refused.
// - `checkServerIdentity: () => undefined`, a frequent advice, takes any certificate of any authority
//   that is trusted, whomever it was made for.
//
// Of all these errors ioredis tells only "Connection is closed."; with DEBUG=ioredis:* it prints the
// reason.
//
// redslot-wasm uses the connections of the cluster object, so it needs no options for TLS.
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { Cluster, type ClusterNode } from 'ioredis';

/** For nodes that announce names, each with a certificate for its own. */
export function connectByName(nodes: ClusterNode[], tls: ConnectionOptions): Cluster {
  return new Cluster(nodes, {
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: { tls },
  });
}

/** For nodes that announce addresses, with certificates for names: any of `names` will do. */
export function connectByAddress(
  nodes: ClusterNode[],
  names: string[],
  tls: ConnectionOptions,
): Cluster {
  const check: typeof checkServerIdentity = (_, certificate) => {
    const errors = names.map((name) => checkServerIdentity(name, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
  return new Cluster(nodes, { redisOptions: { tls: { ...tls, checkServerIdentity: check } } });
}
