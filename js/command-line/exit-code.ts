/** What the process ends with, as `--help` tells. */
export const ExitCode = {
  /** Nothing is wrong. */
  fine: 0,
  /** What was looked at is at fault: gaps, conflicts, keys without an owner, several slots. */
  found: 1,
  /** The arguments or the input cannot be read. */
  usage: 2,
  /** No node of the cluster told its topology. */
  unreachable: 3,
  /** This program is at fault; the number is EX_SOFTWARE of sysexits.h. */
  fault: 70,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
