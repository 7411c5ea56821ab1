import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { findServer } from '../../scripts/server.mjs';

const PEERS = ['ioredis', 'cluster-key-slot', 'redis', '@valkey/valkey-glide'];

/**
 * Writes RESULTS.md and the plots that it shows.
 * @param {import('./section.mjs').Section[]} sections
 * @param {string} minutes how long the run took
 */
export function writeResults(sections, minutes) {
  const dir = join(root, 'benches');
  mkdirSync(join(dir, 'plots'), { recursive: true });
  for (const { file, svg } of sections.flatMap(({ plots = [] }) => plots)) {
    writeFileSync(join(dir, 'plots', file), svg);
  }
  const text = [head(minutes), ...sections.map(markdown)].join('\n');
  writeFileSync(join(dir, 'RESULTS.md'), text);
}

/** @param {string} minutes */
function head(minutes) {
  const rows = [
    ['date', new Date().toISOString().slice(0, 10)],
    ['redslot-wasm', versionIn('package.json')],
    ['Node.js', process.version],
    ...PEERS.map((name) => [name, versionIn('node_modules', name, 'package.json')]),
    ['server', findServer().version],
    ['processor', `${cpus()[0]?.model.trim()}, ${cpus().length} cores`],
    ['memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ['system', `${distribution()}${type()} ${release().split('.', 2).join('.')}, ${process.arch}`],
  ];
  return `# Results of \`npm run bench\`

Written by a full run of ${minutes} minutes. Every ratio is of two things that took turns, after
their results had been compared, in one process or, where it says so, each in a process of
its own: the median of the ratios of all rounds, and their quartiles. Times are medians, and
only for orientation. Servers, where there are any, run on the same machine. A target that is
missed is a result like any other.

${markdownTable(['', ''], rows)}
`;
}

/** @param {import('./section.mjs').Section} section */
function markdown({ title, note, checked, heading, rows, plots = [] }) {
  const images = plots.map(({ file, alt }) => `\n![${alt}](plots/${file})\n`).join('');
  return `## ${title}

${note} Compared first: ${checked}.
${images}
${markdownTable(heading, rows)}
`;
}

/**
 * @param {string[]} heading
 * @param {string[][]} rows
 */
function markdownTable(heading, rows) {
  const lines = [heading, heading.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @param {...string} path */
function versionIn(...path) {
  try {
    return String(JSON.parse(readFileSync(join(root, ...path), 'utf8')).version);
  } catch {
    return 'not installed';
  }
}

function distribution() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const name = text.match(/^PRETTY_NAME="?(.*?)"?$/m)?.[1];
    return name ? `${name}, ` : '';
  } catch {
    return '';
  }
}
