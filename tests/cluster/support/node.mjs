import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './ports.mjs';
import { adopt, end, hasExited } from './processes.mjs';

/**
 * @typedef {object} NodeOptions
 * @property {string} server path of the server binary
 * @property {string} host
 * @property {number} nodeTimeout cluster-node-timeout in milliseconds
 * @property {ServerConfig} config
 * @property {import('node:tls').ConnectionOptions} [tls] of the connections of our own, where the
 *   port is one for TLS
 */

/**
 * Further server options by name, the same for all nodes or by their ports.
 * @typedef {Record<string, string> | ((port: number) => Record<string, string>)} ServerConfig
 */

const START_TIMEOUT = 15_000;

/** One server process of a cluster, with a connection of our own to it. */
export class ClusterNode {
  id = '';
  dir = mkdtempSync(join(tmpdir(), 'redslot-node-'));

  /**
   * @param {NodeOptions} options
   * @param {number} port
   */
  constructor(options, port) {
    this.options = options;
    this.host = options.host;
    this.port = port;
    this.control = connect(this);
    this.process = this.#spawn();
  }

  /**
   * Starts a node on a free port; takes another port when someone was faster.
   * @param {NodeOptions} options
   * @param {number} [fixed] the port that it must have instead
   */
  static async start(options, fixed) {
    for (let attempt = 1; ; attempt++) {
      const node = new ClusterNode(options, fixed ?? (await freePort(options.host)));
      try {
        await node.#ready();
        return node;
      } catch (error) {
        await node.stop();
        if (fixed || attempt === 5 || !/address already in use/i.test(String(error))) throw error;
      }
    }
  }

  get pid() {
    return /** @type {number} */ (this.process.pid);
  }

  get endpoint() {
    return `${this.host}:${this.port}`;
  }

  /**
   * Sends a raw command to this node alone.
   * @param {string} command
   * @param {(string | Buffer | number)[]} args
   * @returns {Promise<any>}
   */
  ask(command, ...args) {
    return this.control.call(command, ...args);
  }

  /**
   * Ends the process as a crash would, and resolves when it is gone; `restart` brings it back.
   * @param {NodeJS.Signals} [signal]
   */
  async kill(signal = 'SIGKILL') {
    this.control.disconnect();
    await end(this.process, { signal, keepDir: true });
  }

  /** Starts a killed node again on its port, with the node id it had. */
  async restart() {
    this.control = connect(this);
    this.process = this.#spawn();
    await this.#ready();
  }

  /** Silence: connections stay open, nothing is answered until `resume`. */
  pause() {
    this.process.kill('SIGSTOP');
  }

  resume() {
    this.process.kill('SIGCONT');
  }

  async stop() {
    this.control.disconnect();
    await end(this.process);
  }

  #spawn() {
    const log = openSync(join(this.dir, 'server.log'), 'a');
    const child = spawn(this.options.server, serverArguments(this), {
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    adopt(child, this.dir);
    return child;
  }

  async #ready() {
    const failed = new Promise((_, reject) => {
      this.process.once('error', reject);
      this.process.once('exit', () => reject(new Error('the server ended')));
      setTimeout(() => reject(new Error('no answer in time')), START_TIMEOUT).unref();
    });
    failed.catch(() => {});
    try {
      await Promise.race([failed, this.control.ping()]);
      // Another server on this port may have answered while ours found it taken.
      const info = await Promise.race([failed, this.control.info('server')]);
      if (!String(info).includes(`process_id:${this.pid}\r`))
        throw new Error('address already in use');
      this.id = await this.ask('CLUSTER', 'MYID');
    } catch (error) {
      throw new Error(this.#report(error), { cause: error });
    }
  }

  /** @param {unknown} error */
  #report(error) {
    const log = readFileSync(join(this.dir, 'server.log'), 'utf8').trimEnd();
    const tail = log.split('\n').slice(-15).join('\n');
    const state = hasExited(this.process) ? 'did not start' : 'did not answer';
    return `${this.options.server} ${state} on ${this.endpoint}: ${error}\n${tail}`;
  }
}

/** @param {ClusterNode} node */
function connect({ host, port, options: { tls } }) {
  const redis = new Redis({
    host,
    port,
    ...(tls && { tls }),
    connectionName: 'fixture',
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 10, 200),
  });
  // Connections of killed and paused nodes fail by design.
  redis.on('error', () => {});
  return redis;
}

/** @param {ClusterNode} node */
function serverArguments({ options, host, port, dir }) {
  const settings = {
    port: String(port),
    bind: host,
    dir,
    'protected-mode': 'no',
    save: '',
    appendonly: 'no',
    'repl-diskless-sync-delay': '0',
    'cluster-enabled': 'yes',
    'cluster-announce-ip': host,
    'cluster-node-timeout': String(options.nodeTimeout),
    ...(typeof options.config === 'function' ? options.config(port) : options.config),
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
