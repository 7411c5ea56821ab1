/** @typedef {import('./node.mjs').ClusterNode} ClusterNode */

/**
 * The ids that a node has in its table, those in handshake left out.
 * @param {ClusterNode} node
 * @returns {Promise<string[]>}
 */
export async function knownIds(node) {
  const lines = String(await node.ask('CLUSTER', 'NODES'))
    .trim()
    .split('\n');
  const settled = lines.filter((line) => !line.split(' ')[2]?.includes('handshake'));
  return settled.map((line) => line.split(' ')[0] ?? '');
}

/**
 * What a node says about the cluster in a form that can be compared between nodes, or null while
 * the node is not healthy.
 * @param {ClusterNode} node
 * @returns {Promise<string | null>}
 */
export async function viewOf(node) {
  if ((await field(node, 'CLUSTER', 'cluster_state')) !== 'ok') return null;
  if ((await field(node, 'INFO', 'role')) === 'slave') {
    if ((await field(node, 'INFO', 'master_link_status')) !== 'up') return null;
  }
  // A node that takes a slot without knowing the highest epoch may not be believed by others.
  const epoch = await field(node, 'CLUSTER', 'cluster_current_epoch');
  const entries = await node.ask('CLUSTER', 'SLOTS');
  return [`epoch ${epoch}`, ...entries.map(describe).sort()].join('\n');
}

/**
 * The string values that a node holds, by key.
 * @param {ClusterNode} node
 * @returns {Promise<[key: string, value: string][]>}
 */
export async function contentsOf(node) {
  /** @type {string[]} */
  const keys = await node.ask('KEYS', '*');
  const replies = (await node.control.pipeline(keys.map((key) => ['get', key])).exec()) ?? [];
  return keys.map((key, i) => {
    const [error, value] = replies[i] ?? [];
    if (error) throw error;
    return [key, String(value)];
  });
}

/**
 * @param {ClusterNode} node
 * @param {string} code
 */
export async function errorCount(node, code) {
  const text = String(await node.ask('INFO', 'errorstats'));
  return Number(text.match(new RegExp(`^errorstat_${code}:count=(\\d+)`, 'm'))?.[1] ?? 0);
}

/** @param {[start: number, end: number, ...nodes: [host: string, port: number, id: string][]]} entry */
function describe([start, end, primary, ...replicas]) {
  // Hosts too: a hostname is told later than the slots, and is "?" until then.
  const [owner, ...others] = [primary, ...replicas].map((node) => `${node?.[2]}@${node?.[0]}`);
  return `${start}-${end} ${owner} ${others.sort()}`;
}

/**
 * @param {ClusterNode} node
 * @param {'CLUSTER' | 'INFO'} source
 * @param {string} name
 */
async function field(node, source, name) {
  const [command, section] = source === 'CLUSTER' ? ['CLUSTER', 'INFO'] : ['INFO', 'replication'];
  const text = String(await node.ask(command, section));
  return text.match(new RegExp(`^${name}:(.*?)\r?$`, 'm'))?.[1];
}
