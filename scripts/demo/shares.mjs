import { Failure } from '../run.mjs';
import { table } from '../table.mjs';

/**
 * Prints what each primary holds, and fails unless the servers count the same.
 * @param {import('redslot-wasm').SlotMap} map
 * @param {import('./pairs.mjs').Pair[]} pairs
 * @param {import('../../tests/cluster/support/node.mjs').ClusterNode[]} nodes
 */
export async function printShares(map, pairs, nodes) {
  const { groups } = map.partition(pairs.map(({ key }) => key));
  const rows = [];
  for (const primary of map.primaries) {
    const keys = groups.find(({ node }) => node.id === primary.id)?.indices.length ?? 0;
    const server = nodes.find(({ id }) => id === primary.id);
    const counted = Number(await server?.ask('DBSIZE'));
    if (keys !== counted) {
      throw new Failure(`${primary.endpoint} holds ${counted} keys, the partition says ${keys}.`);
    }
    const ranges = primary.ranges.map(([start, end]) => `${start}-${end}`).join(' ');
    const share = `${((keys / pairs.length) * 100).toFixed(1)} %`;
    rows.push([String(primary.endpoint), ranges, keys, share, counted]);
  }
  console.log('\n5. Per primary, as partitioned and as DBSIZE of the server counts\n');
  console.log(table(['primary', 'hash slots', 'keys', 'share', 'DBSIZE'], rows, '   '));
}
