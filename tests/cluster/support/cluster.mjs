import { findServer } from '../../../scripts/server.mjs';
import { ClusterNode } from './node.mjs';
import { hasExited } from './processes.mjs';
import { addSlots, closeSlot, countSlots, evenRanges, moveKeys, openSlot } from './slots.mjs';
import { until } from './until.mjs';
import { contentsOf, errorCount, knownIds, viewOf } from './view.mjs';

/** @typedef {import('./node.mjs').NodeOptions} NodeOptions */
/** @typedef {import('./slots.mjs').SlotRange} SlotRange */

/**
 * @typedef {object} ClusterOptions
 * @property {number} [primaries]
 * @property {number} [replicas] per primary
 * @property {string} [host]
 * @property {string} [server] path of the server binary; found or fetched when absent
 * @property {number} [nodeTimeout] cluster-node-timeout in milliseconds
 * @property {SlotRange[][]} [ranges] slot ranges per primary; an even split when absent
 * @property {import('./node.mjs').ServerConfig} [config] further server options
 * @property {number[]} [ports] of the nodes, primaries first; free ones when absent
 * @property {NodeOptions['tls']} [tls]
 */

/**
 * Starts servers on free ports and forms a cluster of them; resolves when every node sees the
 * same complete cluster.
 * @param {ClusterOptions} [options]
 */
export async function startCluster(options = {}) {
  const { primaries = 3, replicas = 0, ranges = evenRanges(primaries) } = options;
  const cluster = new TestCluster(nodeOptions(options), primaries, ranges);
  try {
    await cluster.form(primaries * (1 + replicas), options.ports);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

/** @param {ClusterOptions} options */
function nodeOptions({ host = '127.0.0.1', server, nodeTimeout = 5000, config = {}, tls }) {
  return { host, server: server ?? findServer().path, nodeTimeout, config, ...(tls && { tls }) };
}

export class TestCluster {
  /** @type {ClusterNode[]} primaries first; replica i follows primary i modulo their number */
  nodes = [];

  /**
   * @param {NodeOptions} options
   * @param {number} primaryCount
   * @param {SlotRange[][]} ranges
   */
  constructor(options, primaryCount, ranges) {
    const complete = countSlots(ranges) === countSlots(evenRanges(1));
    const coverage = complete ? {} : { 'cluster-require-full-coverage': 'no' };
    const { config } = options;
    /** @param {number} port */
    const byPort = (port) => ({
      ...coverage,
      ...(typeof config === 'function' ? config(port) : config),
    });
    this.options = { ...options, config: byPort };
    this.primaryCount = primaryCount;
    this.ranges = ranges;
  }

  /** The nodes that were started as primaries, whatever role they have now. */
  get primaries() {
    return this.nodes.slice(0, this.primaryCount);
  }

  /** The nodes that were started as replicas, and those added later. */
  get replicas() {
    return this.nodes.slice(this.primaryCount);
  }

  get startupNodes() {
    return this.nodes.map(({ host, port }) => ({ host, port }));
  }

  /** Those that have not been killed. */
  get running() {
    return this.nodes.filter((node) => !hasExited(node.process));
  }

  /**
   * @param {number} count
   * @param {number[]} [ports]
   */
  async form(count, ports) {
    const started = await Promise.allSettled(
      Array.from({ length: count }, (_, i) => ClusterNode.start(this.options, ports?.[i])),
    );
    for (const result of started) if (result.status === 'fulfilled') this.nodes.push(result.value);
    for (const result of started) if (result.status === 'rejected') throw result.reason;

    // Distinct epochs before the nodes meet spare them a collision to resolve.
    await Promise.all(this.nodes.map((node, i) => node.ask('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)));
    await Promise.all(this.primaries.map((node, i) => addSlots(node, this.ranges[i] ?? [])));
    await this.#meet();
    await Promise.all(
      this.primaries.flatMap((primary, i) =>
        this.replicas
          .filter((_, j) => j % this.primaryCount === i)
          .map((replica) => this.#replicate(replica, primary)),
      ),
    );
    await this.settled();
  }

  /**
   * Waits until all running nodes are healthy, linked and describe the same cluster.
   * @param {number} [timeout] milliseconds
   */
  async settled(timeout) {
    await until('every node sees the same healthy cluster', () => this.#isSettled(), timeout);
  }

  /**
   * A further node without slots, as an empty primary or as the replica of a primary.
   * @param {{ replicaOf?: ClusterNode, port?: number }} [options]
   */
  async addNode({ replicaOf, port } = {}) {
    const node = await ClusterNode.start(this.options, port);
    this.nodes.push(node);
    await this.#meet();
    if (replicaOf) await this.#replicate(node, replicaOf);
    await this.settled();
    return node;
  }

  /**
   * Ends a node and makes the others forget it; its slots must have moved before.
   * @param {ClusterNode} node
   */
  async removeNode(node) {
    await node.stop();
    const index = this.nodes.indexOf(node);
    this.nodes.splice(index, 1);
    if (index < this.primaryCount) this.primaryCount--;
    await Promise.all(this.running.map((other) => other.ask('CLUSTER', 'FORGET', node.id)));
  }

  /**
   * Moves a slot with its keys; `leaveOpen` stops before the last step, so that the slot stays in
   * migration with all its keys on the target. Between giving slots and taking others a node needs
   * `settled`, else it may lose what it takes.
   * @param {number} slot
   * @param {number} fromPort
   * @param {number} toPort
   * @param {{ leaveOpen?: boolean }} [options]
   */
  async moveSlot(slot, fromPort, toPort, { leaveOpen = false } = {}) {
    const source = this.nodeAt(fromPort);
    const target = this.nodeAt(toPort);
    await openSlot(slot, source, target);
    await moveKeys(slot, source, target);
    if (!leaveOpen) await closeSlot(slot, source, target);
  }

  /** @param {number} port */
  nodeAt(port) {
    const node = this.nodes.find((candidate) => candidate.port === port);
    if (!node) throw new Error(`no node of this cluster listens on port ${port}`);
    return node;
  }

  /** The running nodes that are primaries now. */
  async currentPrimaries() {
    const nodes = this.running;
    const roles = await Promise.all(nodes.map((node) => node.ask('ROLE')));
    return nodes.filter((_, i) => roles[i][0] === 'master');
  }

  /**
   * All string values by key, as the primaries hold them. A key on two primaries is an error.
   * @returns {Promise<Map<string, string>>}
   */
  async contents() {
    /** @type {Map<string, string>} */
    const all = new Map();
    for (const node of await this.currentPrimaries()) {
      for (const [key, value] of await contentsOf(node)) {
        if (all.has(key)) throw new Error(`the key ${key} is on two primaries`);
        all.set(key, value);
      }
    }
    return all;
  }

  /**
   * How often the running nodes answered with an error that begins with `code`.
   * @param {string} code such as MOVED
   */
  async errorCount(code) {
    const counts = await Promise.all(this.running.map((node) => errorCount(node, code)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async stop() {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  // Every pair is introduced, because gossip alone needs seconds to spread the news.
  async #meet() {
    const nodes = this.running;
    const introductions = nodes.flatMap((node, i) =>
      nodes.slice(0, i).map(({ host, port }) => node.ask('CLUSTER', 'MEET', host, port)),
    );
    await Promise.all(introductions);
    const everyone = nodes.map((node) => node.id);
    await until('every node knows every other', async () => {
      const tables = await Promise.all(nodes.map(knownIds));
      return tables.every((ids) => everyone.every((id) => ids.includes(id)));
    });
  }

  /**
   * @param {ClusterNode} replica
   * @param {ClusterNode} primary
   */
  async #replicate(replica, primary) {
    await until('the primary is known to its replica', () =>
      replica.ask('CLUSTER', 'REPLICATE', primary.id),
    );
  }

  async #isSettled() {
    const views = await Promise.all(this.running.map(viewOf));
    return views.every((view) => view !== null && view === views[0]);
  }
}
