import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds for one program, which also a busy machine keeps. */
const TIMEOUT = 300_000;

/** The directory that `scripts/test-packaging.mjs` made. */
export const prepared = process.env.REDSLOT_PACKAGING ?? '';
if (!existsSync(prepared)) {
  throw new Error(
    'These tests need installed projects: npm run test:packaging -- <name of a file>',
  );
}

/** The packed package. */
export const tarball = join(prepared, readdirSync(prepared).find((n) => n.endsWith('.tgz')) ?? '');

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** One of the scratch projects, installed. */
export class Project {
  readonly dir: string;

  constructor(name: string) {
    this.dir = join(prepared, 'projects', name);
  }

  path(...parts: string[]): string {
    return join(this.dir, ...parts);
  }

  /** Where a dependency lies: beside the project's sources, or hoisted above all projects. */
  dependency(name: string, ...parts: string[]): string {
    const own = this.path('node_modules', name);
    return join(existsSync(own) ? own : join(prepared, 'node_modules', name), ...parts);
  }

  /** Runs a program in the project, without what the environment of these tests adds. */
  run(program: string, args: string[], extraEnv: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, NO_COLOR: '1', ...extraEnv };
    const options = { cwd: this.dir, env, timeout: TIMEOUT, maxBuffer: 1 << 26 };
    return new Promise((resolve) => {
      execFile(program, args, options, (error, out, err) => {
        // The code of a program that could not start is a word.
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, out, err: code === -1 ? `${error?.message}\n${err}` : err });
      });
    });
  }

  /** The same for a program that must end well; gives what it printed. */
  async output(program: string, args: string[], extraEnv?: NodeJS.ProcessEnv) {
    const { code, out, err } = await this.run(program, args, extraEnv);
    assert.equal(code, 0, `${program} ${args.join(' ')}\n${out}\n${err}`);
    return out.trim();
  }
}
