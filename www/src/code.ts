import { shownKey } from './bytes';
import type { Line } from './lines';

/** As many lines of the paste as an example needs. */
const SHOWN = 4;

/** The code that sends the pasted lines with ioredis and redslot. */
export function codeFor(
  lines: readonly Line[],
  node: { host: string | null; port: number } | null,
) {
  const { host, port } = node ?? { host: '127.0.0.1', port: 6379 };
  const calls = lines.slice(0, SHOWN).map((line) => `    ${callOf(line)},`);
  const more = lines.length > SHOWN ? [`    // and ${lines.length - SHOWN} more`] : [];
  return [
    "import { Cluster } from 'ioredis';",
    "import { redslot } from 'redslot-wasm/ioredis';",
    '',
    `const cluster = new Cluster([{ host: ${quoted(host ?? '127.0.0.1')}, port: ${port} }]);`,
    'const replies = await redslot(cluster)',
    '  .pipeline([',
    ...calls,
    ...more,
    '  ])',
    '  .exec();',
    '// replies[i] is [error, result] of line i',
  ].join('\n');
}

function callOf({ command, keys }: Line): string {
  const [name, ...args] = command ?? ['get', keys[0] as string | Uint8Array];
  return `[${[name.toLowerCase(), ...args].map(quoted).join(', ')}]`;
}

function quoted(value: string | Uint8Array): string {
  if (typeof value !== 'string') {
    return `Buffer.from('${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}', 'hex')`;
  }
  return `'${shownKey(value.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`;
}
