import type { ClusterClient, Connection } from './client.js';
import { connectionKey } from './connection.js';
import { withDeadline } from './waiting.js';

/**
 * The slots that these primaries are migrating, with the connection key of the
 * node each goes to. CLUSTER NODES shows them as `[slot->-id]` in the line of the
 * node that is asked (command documentation, "CLUSTER NODES", "Serialization
 * format"). A node that does not answer tells of none.
 *
 * @param timeout milliseconds for each of them
 */
export async function migrations(
  client: ClusterClient,
  primaries: readonly Connection[],
  timeout: number,
): Promise<Map<number, string>> {
  const told = await Promise.all(
    primaries.map((node) => withDeadline(client, timeout, node.cluster('NODES')).catch(() => '')),
  );
  return new Map(told.flatMap((text) => migrationsIn(String(text), client)));
}

function migrationsIn(text: string, { options }: ClusterClient): [number, string][] {
  const lines = text.split('\n').map((line) => line.split(' '));
  const own = lines.find(([, , flags]) => flags?.includes('myself')) ?? [];
  return own.flatMap((word): [number, string][] => {
    const [, slot, id] = /^\[(\d+)->-(\S+)\]$/.exec(word) ?? [];
    const address = lines.find(([other]) => other === id)?.[1]?.split('@', 1)[0];
    return slot && address ? [[Number(slot), connectionKey(address, options.natMap)]] : [];
  });
}
