import { createServer, type Server, type Socket } from 'node:net';

/** A reply as it goes over the wire, or what else the node is to do. */
export type Reply =
  | string
  | { close: true; first?: string }
  | { silence: true }
  | { late: string; after: number };

/** Answers one command of one connection; undefined leaves it to the defaults. */
export type Script = (args: string[], connection: number) => Reply | undefined;

export const simple = (text: string): Reply => `+${text}\r\n`;
export const error = (text: string): Reply => `-${text}\r\n`;
export const integer = (value: number): Reply => `:${value}\r\n`;
export const bulk = (text: string): Reply => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/**
 * A node that speaks RESP and answers by script, for replies that real servers
 * give rarely. It knows what ioredis asks of a node by itself.
 */
export class ScriptedNode {
  /** The commands received, but for those of the handshake. */
  readonly log: string[][] = [];
  script: Script = () => undefined;
  port = 0;
  #connections = 0;
  #sockets = new Set<Socket>();
  #server: Server;

  constructor(readonly cluster: ScriptedCluster) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#serve(socket, this.#connections++);
    });
  }

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** How often a command arrived, by its name and first arguments. */
  count(...words: string[]): number {
    const matches = (args: string[]) => words.every((word, i) => args[i]?.toUpperCase() === word);
    return this.log.filter(matches).length;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as { port: number }).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket, connection: number): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (data) => {
      const { commands, remainder } = parse(rest + data.toString('latin1'));
      rest = remainder;
      for (const args of commands) if (!this.#answer(socket, args, connection)) break;
    });
  }

  /** False ends the connection's commands. */
  #answer(socket: Socket, args: string[], connection: number): boolean {
    const name = (args[0] ?? '').toUpperCase();
    if (!HANDSHAKE.has(name)) this.log.push(args);
    const reply = this.script(args, connection) ?? this.#default(args) ?? error('ERR unscripted');
    if (typeof reply === 'string') socket.write(reply, 'latin1');
    else if ('late' in reply) setTimeout(() => socket.write(reply.late, 'latin1'), reply.after);
    else if ('close' in reply) {
      if (reply.first) socket.end(reply.first, 'latin1');
      else socket.destroy();
      return false;
    }
    return true;
  }

  #default(args: string[]): Reply | undefined {
    const words = args.map((word) => word.toUpperCase());
    if (words[0] === 'CLUSTER' && words[1] === 'SLOTS') return this.cluster.slotsReply();
    if (words[0] === 'CLUSTER' && words[1] === 'INFO') return bulk('cluster_state:ok\r\n');
    if (words[0] === 'INFO') return bulk('redis_version:7.0.15\r\nloading:0\r\n');
    if (words[0] === 'HELLO') return error("ERR unknown command 'HELLO'");
    if (['CLIENT', 'READONLY', 'ASKING', 'SELECT'].includes(words[0] ?? '')) return simple('OK');
    return undefined;
  }
}

const HANDSHAKE = new Set(['HELLO', 'CLIENT', 'INFO', 'READONLY']);

/** Scripted nodes that share the slots evenly, in their order. */
export class ScriptedCluster {
  readonly nodes: ScriptedNode[] = [];

  static async start(count: number): Promise<ScriptedCluster> {
    const cluster = new ScriptedCluster();
    for (let i = 0; i < count; i++) {
      const node = new ScriptedNode(cluster);
      await node.listen();
      cluster.nodes.push(node);
    }
    return cluster;
  }

  get startupNodes() {
    return this.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
  }

  /** The nodes that own slots; by default all. */
  owners(): ScriptedNode[] {
    return this.nodes;
  }

  /** The host that CLUSTER SLOTS gives for a node. */
  hostOf: (node: ScriptedNode) => string = () => '127.0.0.1';

  slotsReply(): Reply {
    const owners = this.owners();
    const entries = owners.map((node, i) => {
      const start = Math.ceil((16384 * i) / owners.length);
      const end = Math.ceil((16384 * (i + 1)) / owners.length) - 1;
      const id = String(this.nodes.indexOf(node)).padStart(40, '0');
      return `*3\r\n:${start}\r\n:${end}\r\n*3\r\n${bulk(this.hostOf(node))}:${node.port}\r\n${bulk(id)}`;
    });
    return `*${entries.length}\r\n${entries.join('')}`;
  }

  stop(): void {
    for (const node of this.nodes) node.close();
  }
}

/** The complete commands in a stream of RESP arrays, and what is left of it. */
function parse(text: string): { commands: string[][]; remainder: string } {
  const commands: string[][] = [];
  let at = 0;
  for (;;) {
    const command = parseOne(text, at);
    if (!command) return { commands, remainder: text.slice(at) };
    commands.push(command.args);
    at = command.end;
  }
}

function parseOne(text: string, start: number): { args: string[]; end: number } | null {
  const line = (at: number) => {
    const end = text.indexOf('\r\n', at);
    return end < 0 ? null : { value: Number(text.slice(at + 1, end)), end: end + 2 };
  };
  const header = line(start);
  if (!header) return null;
  const args: string[] = [];
  let at = header.end;
  for (let i = 0; i < header.value; i++) {
    const length = line(at);
    if (!length || text.length < length.end + length.value + 2) return null;
    args.push(text.slice(length.end, length.end + length.value));
    at = length.end + length.value + 2;
  }
  return { args, end: at };
}
