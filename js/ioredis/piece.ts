import { bySlot, type Split } from '../split.js';
import type { Reply, WireCommand } from './client.js';
import { Entry } from './entry.js';
import { failureOf, type KeyFailure, partial } from './partial.js';

/**
 * Cuts a command over several slots into pieces over one slot each, which travel
 * by themselves and settle the command once all are done.
 *
 * @param slots the slot of each key
 * @param finished told of each piece that is done
 * @param added told of the pieces that take the place of one that was divided
 */
export function split(
  parent: Entry,
  how: Split,
  slots: ArrayLike<number>,
  finished: (piece: Entry) => void,
  added: (pieces: readonly Entry[]) => void,
): Entry[] {
  const whole = new Whole(parent, how, slots.length, finished);
  return [...bySlot(slots)].map(([slot, positions]) => {
    const piece = whole.piece(slot, positions);
    if (positions.length > 1) {
      piece.divide = () => {
        const parts = whole.divide(piece, positions);
        added(parts);
        return parts;
      };
    }
    return piece;
  });
}

/** A command while its pieces are under way. */
class Whole {
  readonly #parent: Entry;
  readonly #how: Split;
  readonly #values: unknown[];
  readonly #failures: KeyFailure[] = [];
  #sum = 0n;
  #text = false;
  #ran = false;
  #open = 0;
  readonly #finished: (piece: Entry) => void;

  constructor(parent: Entry, how: Split, keys: number, finished: (piece: Entry) => void) {
    this.#parent = parent;
    this.#how = how;
    this.#finished = finished;
    this.#values = new Array(how.merge === 'values' ? keys : 0).fill(null);
  }

  piece(slot: number, positions: readonly number[]): Entry {
    const { command, index } = this.#parent;
    const args = argsOf(command, this.#how, positions);
    const settled = (entry: Entry, reply: Reply) => this.#settled(entry, positions, reply);
    const piece = new Entry(index, pieceOf(command, args), settled, true);
    piece.slot = slot;
    this.#open += 1;
    return piece;
  }

  /** One piece for each key in place of one that was not executed; the same key stays together. */
  divide(piece: Entry, positions: readonly number[]): Entry[] {
    const byKey = new Map<string, number[]>();
    for (const position of positions) {
      const key = this.#key(position);
      const name = typeof key === 'string' ? Buffer.from(key) : (key as Buffer);
      const same = byKey.get(name.toString('latin1'));
      if (same) same.push(position);
      else byKey.set(name.toString('latin1'), [position]);
    }
    const { trail, attempts, node, uncertain, reordered } = piece;
    const parts = [...byKey.values()].map((own) => {
      const part = this.piece(piece.slot, own);
      return Object.assign(part, { trail, attempts, node, uncertain, reordered });
    });
    piece.done = true;
    this.#open -= 1;
    return parts;
  }

  #key(position: number): string | Uint8Array {
    return this.#parent.command.args[position * this.#how.step] as string | Uint8Array;
  }

  #settled(piece: Entry, positions: readonly number[], [error, value]: Reply): void {
    if (error) this.#failed(piece, positions, error);
    else this.#add(positions, value);
    this.#finished(piece);
    this.#ran ||= piece.ran;
    this.#parent.reordered ||= piece.reordered;
    this.#open -= 1;
    if (this.#open === 0) this.#conclude(piece);
  }

  #failed(piece: Entry, positions: readonly number[], error: Error): void {
    for (const position of positions) {
      this.#failures.push(failureOf(position, this.#key(position), piece.slot, error));
    }
  }

  #add(positions: readonly number[], value: unknown): void {
    const { merge } = this.#how;
    if (merge === 'values') {
      positions.forEach((position, at) => {
        this.#values[position] = (value as unknown[])[at];
      });
    } else if (merge === 'sum') {
      this.#text = typeof value !== 'number';
      this.#sum += BigInt(String(value));
    }
  }

  #conclude(last: Entry): void {
    const parent = this.#parent;
    const { command } = parent;
    // What ioredis notes of the connection, for reply transformers.
    const { protocol, replyMapping } = last.command;
    Object.assign(command, { protocol, replyMapping });
    const merged = this.#merged();
    if (this.#failures.length === 0) {
      parent.resolved(merged);
      return;
    }
    this.#failures.sort((a, b) => a.index - b.index);
    parent.fail(partial(parent, this.#failures, this.#ran, merged));
  }

  #merged(): unknown {
    const { merge } = this.#how;
    if (merge === 'values') return this.#values;
    // ioredis' option stringNumbers gives text, which may count beyond what a number holds.
    if (merge === 'sum') return this.#text ? String(this.#sum) : Number(this.#sum);
    return this.#ran ? Buffer.from('OK') : null;
  }
}

function argsOf(command: WireCommand, { step, tail }: Split, positions: readonly number[]) {
  const { args } = command;
  const own: unknown[] = [];
  for (const at of positions) {
    for (let next = at * step; next < (at + 1) * step; next++) own.push(args[next]);
  }
  return tail > 0 ? [...own, ...args.slice(-tail)] : own;
}

/**
 * A command of the same kind and settings with other arguments, which are on the
 * wire's side of prefixes and argument transformers already. Its entry tells how
 * it ends; its promise is read by ioredis' tracing alone.
 */
function pieceOf(command: WireCommand, args: unknown[]): WireCommand {
  const piece: Piece = Object.assign(Object.create(Object.getPrototypeOf(command)), command);
  piece.args = args;
  piece.callback = undefined;
  piece.promise = new Promise((settle, fail) => {
    piece.resolve = (value) => {
      end(piece);
      settle(piece.transformReply(value));
      return piece.promise;
    };
    piece.reject = (error) => {
      end(piece);
      piece.promise.catch(() => {});
      fail(error);
    };
  });
  return piece;
}

interface Piece extends WireCommand {
  callback?: undefined;
  isResolved?: boolean;
  isSettled?: boolean;
  _commandTimeoutTimer?: NodeJS.Timeout;
}

/** For ioredis' timer of `commandTimeout`. */
function end(piece: Piece): void {
  piece.isResolved = true;
  piece.isSettled = true;
  clearTimeout(piece._commandTimeoutTimer);
}
