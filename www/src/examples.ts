/** Names of the topologies that the page brings along. */
export const EXAMPLES = ['three', 'fragments', 'thousand'] as const;
export type Example = (typeof EXAMPLES)[number];

/** Commands with one of each trouble. */
export const SAMPLE = `SET user:1 "first" EX 60
SET user:2 "second" EX 60
MGET user:1 user:2
DEL cart:{1000} order:{1000}
RENAME session:a session:b
SINTERSTORE {tags}:both {tags}:red {tags}:blue
INCR visits:2026-01-01
"\\xac\\xed\\x00\\x05t\\x00\\n4100000252"`;

type Entry = [start: number, end: number, ...nodes: [string, number, string][]];

const SLOTS = 16384;

export function isExample(name: string): name is Example {
  return (EXAMPLES as readonly string[]).includes(name);
}

/** A reply to CLUSTER SLOTS as JSON, one entry per line. */
export function exampleText(name: Example): string {
  const entries = { three, fragments, thousand }[name]();
  return `[\n${entries.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]`;
}

function three(): Entry[] {
  const ranges = [
    [0, 5500],
    [5501, 11000],
    [11001, SLOTS - 1],
  ] as const;
  return ranges.map(([start, end], at) => [start, end, node(at, 0), node(at, 1)]);
}

/** Six primaries after several reshardings: most hold pieces all over. */
function fragments(): Entry[] {
  const cuts = [
    0, 1100, 1365, 2730, 3000, 4096, 5461, 5700, 6826, 8191, 8400, 9557, 10922, 11300, 12288, 13653,
    13800, 15019,
  ];
  const owners = [0, 5, 0, 3, 1, 1, 4, 1, 2, 0, 2, 3, 3, 1, 4, 2, 4, 5];
  return cuts.map((start, at) => {
    const owner = owners[at] as number;
    return [start, (cuts[at + 1] ?? SLOTS) - 1, node(owner, 0), node(owner, 1)];
  });
}

function thousand(): Entry[] {
  return Array.from({ length: 1000 }, (_, at) => [
    Math.floor((at * SLOTS) / 1000),
    Math.floor(((at + 1) * SLOTS) / 1000) - 1,
    node(at, 0),
  ]);
}

/** Addresses of the range that is set aside for private networks, ids of 40 digits as servers use. */
function node(shard: number, member: number): [string, number, string] {
  const host = `10.${member}.${Math.floor(shard / 250)}.${(shard % 250) + 1}`;
  const id = (shard * 2 + member + 1).toString(16).padStart(4, '0').repeat(10);
  return [host, 6379, id];
}
