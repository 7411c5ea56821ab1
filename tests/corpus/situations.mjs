/**
 * Situations of a cluster, each made by real servers on fixed ports from 27100 on, in which
 * `record-replies.mjs` asks for the topology. What they lay out is in `tests/topology/situations.rs`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, listed, replace } from '../cluster/support/members.mjs';
import { openSlot } from '../cluster/support/slots.mjs';
import { until } from '../cluster/support/until.mjs';

/** @typedef {import('../cluster/support/cluster.mjs').ClusterOptions} ClusterOptions */
/** @typedef {import('../cluster/support/cluster.mjs').TestCluster} TestCluster */
/** @typedef {import('../cluster/support/node.mjs').ClusterNode} ClusterNode */
/**
 * @typedef {object} View who is asked
 * @property {string} host
 * @property {number} port
 * @property {{ ca: Buffer }} [tls]
 */
/**
 * @typedef {object} Situation
 * @property {ClusterOptions} [options]
 * @property {(cluster: TestCluster, node: (index: number) => ClusterNode) => Promise<void>} [arrange]
 *   from a settled cluster to the situation
 * @property {(cluster: TestCluster) => Record<string, View>} [views] by the name under which their
 *   replies are kept; by default the first node, under the name of the situation
 */

const FIRST_PORT = 27100;
const TLS_OFFSET = 50;
const NOBODY = FIRST_PORT + 49;
const PARTIAL = { 'cluster-require-full-coverage': 'no' };

/** @param {number} index */
export const portOf = (index) => FIRST_PORT + index;

/** @param {number} port */
const hostname = (port) => `node-${port - FIRST_PORT}.cache.example`;

/** A certificate for this machine that ends with this process. */
function certificate() {
  const dir = mkdtempSync(join(tmpdir(), 'redslot-tls-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const subject = ['-subj', '/CN=redslot', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = [
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  execFileSync('openssl', ['req', ...made, ...subject], { stdio: 'ignore' });
  const config = {
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-ca-cert-file': cert,
    'tls-auth-clients': 'no',
    'tls-cluster': 'yes',
    'tls-replication': 'yes',
  };
  return { config, tls: { ca: readFileSync(cert) } };
}

/** @returns {Record<string, Situation>} */
function overTls() {
  const { config, tls } = certificate();
  // The port of the bus follows the one for TLS unless it is set, and MEET knows the other.
  const bus = (/** @type {number} */ port) => ({ 'cluster-port': String(port + 10_000) });
  const at = (/** @type {number} */ offset) => ({ host: '127.0.0.1', port: FIRST_PORT + offset });
  return {
    'two-ports': {
      options: {
        replicas: 1,
        config: (port) => ({ ...config, ...bus(port), 'tls-port': String(port + TLS_OFFSET) }),
      },
      views: () => ({ 'asked-in-plain': at(0), 'asked-over-tls': { ...at(TLS_OFFSET), tls } }),
    },
    'tls-only': {
      options: {
        replicas: 1,
        tls,
        config: (port) => ({ ...config, port: '0', 'tls-port': String(port) }),
      },
      views: () => ({ 'tls-only': { ...at(0), tls } }),
    },
  };
}

/** @returns {Record<string, Situation>} */
export const situations = () => ({
  replicated: { options: { replicas: 1 } },
  scattered: {
    options: {
      ranges: [
        [
          [0, 100],
          [102, 102],
          [300, 5460],
        ],
        [
          [101, 101],
          [5461, 10922],
          [16383, 16383],
        ],
        [[10923, 16000]],
      ],
    },
  },
  'unequal-replicas': {
    // Else one of two replicas may move to the primary that has none.
    options: { config: { 'cluster-migration-barrier': '9' } },
    async arrange(cluster, node) {
      for (const [at, primary] of [0, 0, 1].entries())
        await cluster.addNode({ port: portOf(3 + at), replicaOf: node(primary) });
      await listed(cluster);
    },
  },
  'empty-primary': {
    async arrange(cluster) {
      const replicaOf = await cluster.addNode({ port: portOf(3) });
      await cluster.addNode({ port: portOf(4), replicaOf });
    },
  },
  alone: {
    options: {
      primaries: 1,
      ranges: [
        [
          [0, 100],
          [200, 16383],
        ],
      ],
      config: { 'cluster-announce-ip': '' },
    },
  },
  ipv6: { options: { replicas: 1, host: '::1' } },
  hostnames: {
    options: {
      replicas: 1,
      config: (port) => ({
        'cluster-announce-hostname': hostname(port),
        'cluster-preferred-endpoint-type': 'hostname',
      }),
    },
  },
  'hostname-missing': {
    options: {
      replicas: 1,
      config: (port) => ({
        'cluster-announce-hostname': port === portOf(1) ? '' : hostname(port),
        'cluster-preferred-endpoint-type': 'hostname',
      }),
    },
  },
  'hostnames-beside': {
    options: { replicas: 1, config: (port) => ({ 'cluster-announce-hostname': hostname(port) }) },
  },
  'unknown-endpoint': {
    options: { replicas: 1, config: { 'cluster-preferred-endpoint-type': 'unknown-endpoint' } },
  },
  'failed-primary': {
    options: { nodeTimeout: 1000, config: PARTIAL },
    arrange: (cluster, node) => fail(cluster, node(2)),
  },
  'failed-over': {
    options: { replicas: 1, nodeTimeout: 1000 },
    async arrange(cluster, node) {
      await fail(cluster, node(1));
      await cluster.settled();
    },
  },
  'failed-replica': {
    options: { replicas: 1, nodeTimeout: 1000 },
    arrange: (cluster, node) => fail(cluster, node(4)),
  },
  'replaced-replica': {
    options: { replicas: 1, nodeTimeout: 1000 },
    arrange: (cluster, node) => replace(cluster, node(4)),
  },
  'replaced-primary': {
    options: { nodeTimeout: 1000, config: PARTIAL },
    arrange: (cluster, node) => replace(cluster, node(2)),
  },
  'replaced-hostname': {
    options: {
      nodeTimeout: 1000,
      config: (port) => ({
        ...PARTIAL,
        'cluster-announce-hostname': port === portOf(1) ? '' : hostname(port),
        'cluster-preferred-endpoint-type': 'hostname',
      }),
    },
    arrange: (cluster, node) => replace(cluster, node(2)),
  },
  handshake: {
    async arrange(_, node) {
      await node(0).ask('CLUSTER', 'MEET', '127.0.0.1', NOBODY);
      await until('it is in its table', async () =>
        String(await node(0).ask('CLUSTER', 'NODES')).includes(`:${NOBODY}@`),
      );
    },
  },
  moving: {
    options: { replicas: 1 },
    arrange: (_, node) => openSlot(5460, node(0), node(1)),
    views: ({ nodes: [source, target, other] }) => ({
      migrating: /** @type {ClusterNode} */ (source),
      importing: /** @type {ClusterNode} */ (target),
      'moving-elsewhere': /** @type {ClusterNode} */ (other),
    }),
  },
  ...overTls(),
});
