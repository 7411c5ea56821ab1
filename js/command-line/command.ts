import type { ExitCode } from './exit-code.js';
import type { Arguments, OptionName } from './options.js';
import type { Output } from './output.js';

/** One command of `redslot-wasm`. */
export interface Command {
  readonly name: string;
  /** What it is for, in a few words. */
  readonly summary: string;
  /** What `--help` tells after the summary. */
  readonly help: string;
  readonly options: readonly OptionName[];
  readonly run: (args: Arguments, output: Output) => Promise<ExitCode>;
}
