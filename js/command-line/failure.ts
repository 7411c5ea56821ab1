import { ExitCode } from './exit-code.js';

/** What ends a command: its message is for the user, without a stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = ExitCode.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Why a file or a connection could not be had, in a line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
