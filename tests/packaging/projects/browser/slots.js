const KEYS = ['foo', 'bar', '{user1000}.following', 'user:1'];

/** Three primaries, as CLUSTER SLOTS tells of them. */
const REPLY = [
  [0, 5460, ['192.0.2.1', 7000, 'p1', []]],
  [5461, 10922, ['192.0.2.2', 7001, 'p2', []]],
  [10923, 16383, ['192.0.2.3', 7002, 'p3', []]],
];

/** What each entry gives; an ES module, which browsers load without a bundler. */
export const slotsOf = (entries) => entries.map(tryEntry);

function tryEntry({ keySlot, SlotMap }) {
  try {
    const { groups } = SlotMap.fromSlots(REPLY).partition(KEYS);
    return {
      slot: keySlot('{user1000}.following'),
      groups: groups.map(({ node, indices }) => [node.port, Array.from(indices)]),
    };
  } catch ({ message, cause }) {
    return { message, cause: cause?.name };
  }
}
