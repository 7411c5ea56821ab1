import { spawn } from 'node:child_process';
import { freePort } from '../../cluster/support/ports.mjs';
import { adopt, end } from '../../cluster/support/processes.mjs';
import { until } from '../../cluster/support/until.mjs';

const HOST = '127.0.0.1';

/** A server program of a project. */
export interface Server {
  readonly program: string;
  /** Arguments and variables with which it listens on a port of 127.0.0.1. */
  readonly args: (port: number) => string[];
  readonly env: (port: number) => Record<string, string>;
  /** Where it runs and all it needs; removed after it. */
  readonly dir: string;
}

/** Runs a server in a directory until it has answered one request, and gives the answer. */
export async function answerOf({ program, args, env, dir }: Server, path: string): Promise<string> {
  const port = await freePort(HOST);
  const options = { cwd: dir, env: { PATH: process.env.PATH, ...env(port) } };
  const child = spawn(program, args(port), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  adopt(child, dir);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  try {
    const response = await until('the server answers', () =>
      fetch(`http://${HOST}:${port}${path}`),
    );
    const text = await response.text();
    if (response.ok) return text;
    throw new Error(`status ${response.status}: ${text}`);
  } catch (cause) {
    throw new Error(`${program} said:\n${said}`, { cause });
  } finally {
    await end(child);
  }
}
