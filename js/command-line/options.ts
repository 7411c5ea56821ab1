import { parseArgs } from 'node:util';
import { Failure, reasonOf } from './failure.js';

/** All options; which of them a command has, it says itself. */
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  hex: { type: 'boolean' },
  escapes: { type: 'boolean' },
  same: { type: 'boolean' },
  keys: { type: 'string' },
  topology: { type: 'string' },
  cluster: { type: 'string' },
  user: { type: 'string' },
  tls: { type: 'boolean' },
  'max-skew': { type: 'string' },
} as const;

export type OptionName = keyof typeof OPTIONS;

/** The options that were given. */
export type Options = {
  readonly [Name in OptionName]?: (typeof OPTIONS)[Name]['type'] extends 'string'
    ? string
    : boolean;
};

/** What was typed after the name of a command. */
export interface Arguments {
  readonly options: Options;
  readonly words: readonly string[];
}

/** Reads the arguments of a command that has the named options. */
export function readArguments(args: readonly string[], names: readonly OptionName[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, OPTIONS[name]])),
      allowPositionals: true,
    });
    return { options: values as Options, words: positionals };
  } catch (error) {
    throw new Failure(reasonOf(error));
  }
}
