import type { Primary } from '../index.js';
import type { Connection, WireCommand } from './client.js';
import { keyOf } from './connection.js';
import type { Context } from './context.js';
import { isReadOnly } from './read-only.js';

/**
 * Picks the node for the reads of one primary by the cluster's `scaleReads`, as
 * ioredis does for single commands; null leaves a command to the primary.
 * Without a function in `scaleReads` one pick serves the batch, so that the reads
 * stay together in one pipeline.
 */
export function readerOf(
  { client, connections, topology }: Context,
  primary: Primary,
): (command: WireCommand) => string | null {
  const { scaleReads = 'master' } = client.options;
  if (scaleReads === 'master') return () => null;
  const nodes = [primary, ...primary.replicas]
    .map((node) => connections.get(topology.keyOf(node) ?? ''))
    .filter((node) => node !== undefined);
  if (typeof scaleReads === 'function') {
    return (command) => (isReadOnly(command) ? picked(scaleReads(nodes, command)) : null);
  }
  const reader = picked(scaleReads === 'slave' && nodes.length > 1 ? nodes.slice(1) : nodes);
  return (command) => (isReadOnly(command) ? reader : null);
}

function picked(nodes: Connection | Connection[] | null | undefined): string | null {
  const node = Array.isArray(nodes) ? nodes[Math.floor(Math.random() * nodes.length)] : nodes;
  return node ? keyOf(node) : null;
}
