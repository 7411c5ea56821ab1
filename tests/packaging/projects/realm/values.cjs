/** Keys and replies made in another realm than the one that the package runs in. */

const vm = require('node:vm');
const { SlotMap, TopologyError, keySlot, keySlots } = require('redslot-wasm');

const given = vm.runInNewContext(
  `
  const bytes = Uint8Array.from(encoder.encode('foo'));
  const shared = new SharedArrayBuffer(3);
  new Uint8Array(shared).set(bytes);
  const node = new Map(Object.entries({ id: 'p', port: 7000, endpoint: 'h', role: 'master' }));
  ({
    keys: { bytes, view: new DataView(bytes.buffer), buffer: bytes.buffer, shared },
    list: ['foo', bytes],
    slots: [[0, 16383, ['h', 7000, 'p', ['hostname', 'n']]]],
    shards: [new Map([['slots', [0, 16383]], ['nodes', [node]]])],
    failure: new Error('ERR refused'),
  });
`,
  { encoder: new TextEncoder() },
);

const slots = Object.entries(given.keys).map(([kind, key]) => [kind, keySlot(key)]);
const ownersOf = (map) => map.primaries.map(({ endpoint, ranges }) => ({ endpoint, ranges }));
let refused;
try {
  SlotMap.fromShards([given.failure]);
} catch (error) {
  refused = [error instanceof TopologyError, error.message];
}
console.log(
  JSON.stringify({
    foreign: given.keys.bytes instanceof Uint8Array,
    slots,
    list: Array.from(keySlots(given.list)),
    fromSlots: ownersOf(SlotMap.fromSlots(given.slots)),
    fromShards: ownersOf(SlotMap.fromShards(given.shards)),
    refused,
  }),
);
