import { type Connection, isScript, type PipelineStream, type WireCommand } from './client.js';
import { type Connections, keyOf } from './connection.js';
import type { Answered, Entry } from './entry.js';

/** An attempt that ended in an error. */
export interface Failure {
  entry: Entry;
  error: Error;
}

/**
 * Writes entries to a ready connection in one piece, in order, and resolves to
 * the failures once each entry is answered. Never rejects.
 */
export function transmit(
  connections: Connections,
  connection: Connection,
  entries: readonly Entry[],
): Promise<Failure[]> {
  return new Promise((resolve) => {
    const failures: Failure[] = [];
    let outstanding = entries.length;
    const answered = (entry: Entry, error?: Error) => {
      if (error) failures.push({ entry, error });
      outstanding -= 1;
      if (outstanding > 0) return;
      unwatch();
      resolve(failures);
    };
    // ioredis may keep what is outstanding, to send it again on its next connection.
    const unwatch = connections.watch(connection, () => {
      for (const entry of entries) {
        if (entry.answered === answered) entry.rejected(new Error('Connection is closed.'));
      }
    });
    try {
      write(connection, entries, answered);
    } catch (error) {
      for (const entry of entries) entry.fail(error as Error);
      unwatch();
      resolve([]);
    }
  });
}

function write(connection: Connection, entries: readonly Entry[], answered: Answered): void {
  if (entries.some(needsPipeline)) writePipeline(connection, entries, answered);
  else writeBlock(connection, entries, answered);
}

/** ioredis 6 prepares HIMPORT in its own pipeline. */
function needsPipeline({ command }: Entry): boolean {
  return command.name === 'himport';
}

function writePipeline(
  connection: Connection,
  entries: readonly Entry[],
  answered: Answered,
): void {
  const pipeline = connection.pipeline();
  const key = keyOf(connection);
  for (const entry of entries) {
    entry.begin(key, answered);
    if (entry.asking) pipeline.asking();
    entry.asking = false;
    pipeline.sendCommand(entry.command);
  }
  // Its promise waits for commands that are held back, so the entries tell instead.
  pipeline.exec().catch(() => {});
}

/** What ioredis' pipeline does, less the bookkeeping for results that the entries keep. */
function writeBlock(connection: Connection, entries: readonly Entry[], answered: Answered): void {
  const block = new Block(connection);
  const key = keyOf(connection);
  let position = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Entry;
    const { command } = entry;
    entry.begin(key, answered);
    try {
      if (entry.asking) connection.sendCommand(numbered(asking(entry), position++), block);
      connection.sendCommand(numbered(command, position++), block);
    } catch (error) {
      // It could not be written, but those before it wait for their replies already.
      entry.unwritten(error as Error);
    }
    entry.asking = false;
  }
  block.flush();
}

/** By this number ioredis tells pipelines cut off by a lost connection from whole ones. */
function numbered(command: WireCommand, position: number): WireCommand {
  command.pipelineIndex = position;
  return command;
}

/** An ASKING for the command behind it, whose connection tells if either is lost. */
function asking(entry: Entry): WireCommand {
  const { command } = entry;
  const own = command.constructor as new (name: string) => WireCommand;
  const Command = isScript(command) ? Object.getPrototypeOf(own) : own;
  const before = new Command('asking') as WireCommand;
  before.promise.catch((error: Error) => {
    if (error.name === 'ReplyError') entry.askingError = error;
  });
  return before;
}

/** Text is encoded at this length: its many parts, kept until all is written, cost more. */
const LONGEST_TEXT = 1 << 16;

/** Collects what is written, so that it leaves in one piece. */
class Block implements PipelineStream {
  readonly isPipeline = true;
  readonly destination: { redis: Connection };
  #text = '';
  #buffers: Uint8Array[] = [];
  #flushed = false;

  constructor(connection: Connection) {
    this.destination = { redis: connection };
  }

  write(data: string | Uint8Array): void {
    // A command that ioredis puts off or sends again on a new connection comes later.
    if (this.#flushed) this.destination.redis.stream.write(data);
    else if (typeof data === 'string') this.#append(data);
    else this.#push(data);
  }

  flush(): void {
    this.#flushed = true;
    const { stream } = this.destination.redis;
    if (this.#buffers.length === 0) {
      if (this.#text) stream.write(this.#text);
      this.#text = '';
      return;
    }
    this.#pushText();
    stream.write(Buffer.concat(this.#buffers));
    this.#buffers = [];
  }

  #append(text: string): void {
    if (this.#text.length + text.length > LONGEST_TEXT) this.#pushText();
    this.#text += text;
  }

  #push(bytes: Uint8Array): void {
    this.#pushText();
    this.#buffers.push(bytes);
  }

  #pushText(): void {
    if (!this.#text) return;
    this.#buffers.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
