import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { Failure } from './failure.js';
import { EXIT_CODES, KEY_OPTIONS, TOPOLOGY_OPTIONS } from './help.js';
import type { Notation } from './key-text.js';
import { keysOf, notationOf } from './keys.js';
import type { Options } from './options.js';
import { Report } from './report.js';
import { STDIN } from './source.js';
import { Tally } from './tally.js';
import { checkTopologyOptions, readsStdin, topologyOf } from './topology.js';

export const check: Command = {
  name: 'check',
  summary: 'gaps and conflicts of a topology, and how keys spread over it',
  help: `redslot-wasm check [--keys FILE]

Prints what each primary serves, the slots that none serves, and those that several claim. With
--keys also how many keys each primary has, and the ten slots with the most keys, each with up to
three hash tags of its first 20 keys. Ends with 1 where something is wrong.

${TOPOLOGY_OPTIONS}
              without --topology and --cluster the topology is read from standard input
  --keys FILE a key per line; "-" for standard input; empty lines are left out
  --max-skew N
              end with 1 also where a primary has more than N times the mean of all
${KEY_OPTIONS}
  --json      one line
              {"ok":true,"primaries":[{"id":"...","endpoint":"host:port","replicas":1,
              "slots":5461,"keys":100}],"gaps":[[0,99]],"conflicts":[{"start":0,"end":9,
              "owners":["host:port"]}],"keys":{"total":300,"unowned":0,"slots":280,"skew":1.1,
              "largest":[{"slot":12182,"keys":9,"tags":["{foo}"]}]}}
              without --keys "keys" is null in all places; "skew" is the keys of the fullest
              primary over the mean, null without any

${EXIT_CODES}`,
  options: ['keys', 'max-skew', 'topology', 'cluster', 'user', 'tls', 'hex', 'escapes', 'json'],
  async run({ options, words }, output) {
    if (words.length > 0) throw new Failure('check takes keys from the file of --keys only.');
    const { keys: path } = options;
    checkTopologyOptions(options);
    if (path === STDIN && readsStdin(options)) {
      throw new Failure('Keys and topology cannot both be read from standard input.');
    }
    const most = mostSkew(options);
    const notation = notationOf(options);
    const map = await topologyOf(options);
    const tally = path === undefined ? null : await tallyOf(path, notation);
    const report = new Report(map, tally, most);
    await output.write([report]);
    return report.ok ? ExitCode.fine : ExitCode.found;
  },
};

async function tallyOf(path: string, notation: Notation): Promise<Tally> {
  const tally = new Tally();
  for await (const keys of keysOf({ path }, notation)) tally.add(keys);
  return tally;
}

function mostSkew({ keys, 'max-skew': written }: Options): number {
  if (written === undefined) return Number.POSITIVE_INFINITY;
  const most = Number(written);
  if (!(most >= 1)) throw new Failure('--max-skew has to be a number, 1 or more.');
  if (keys === undefined) throw new Failure('--max-skew needs --keys.');
  return most;
}
