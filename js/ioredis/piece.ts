import { bySlot, type Split } from '../split.js';
import type { Reply, WireCommand } from './client.js';
import { Entry, type Settled } from './entry.js';
import { OwnCommand } from './own-command.js';
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
  const whole = new Whole(parent, how, slots.length, finished, added);
  return Array.from(bySlot(slots), ([slot, positions]) => whole.piece(slot, positions));
}

/** A command over some keys of another, all in one slot. */
class Piece extends Entry {
  readonly positions: readonly number[];
  /** Not by a key that is given twice: the same key stays together. */
  isDivisible: boolean;
  readonly #whole: Whole;

  constructor(whole: Whole, index: number, command: OwnCommand, positions: readonly number[]) {
    super(index, command, Piece.settled);
    this.#whole = whole;
    this.positions = positions;
    this.isDivisible = positions.length > 1;
  }

  override divide(): Entry[] | null {
    return this.isDivisible ? this.#whole.divide(this) : null;
  }

  static readonly settled: Settled = (piece, reply) => {
    (piece as Piece).#whole.settled(piece as Piece, reply);
  };
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
  readonly #added: (pieces: readonly Entry[]) => void;

  constructor(
    parent: Entry,
    how: Split,
    keys: number,
    finished: (piece: Entry) => void,
    added: (pieces: readonly Entry[]) => void,
  ) {
    this.#parent = parent;
    this.#how = how;
    this.#finished = finished;
    this.#added = added;
    this.#values = new Array(how.merge === 'values' ? keys : 0).fill(null);
  }

  piece(slot: number, positions: readonly number[]): Piece {
    const { command, index } = this.#parent;
    const own = new OwnCommand(command.name, argsOf(command, this.#how, positions));
    const piece = new Piece(this, index, own, positions);
    piece.slot = slot;
    this.#open += 1;
    return piece;
  }

  /** One piece for each key in place of one that was not executed; the same key stays together. */
  divide(piece: Piece): Piece[] {
    const byKey = new Map<string, number[]>();
    for (const position of piece.positions) {
      const key = this.#key(position);
      const name = typeof key === 'string' ? Buffer.from(key) : (key as Buffer);
      const same = byKey.get(name.toString('latin1'));
      if (same) same.push(position);
      else byKey.set(name.toString('latin1'), [position]);
    }
    const { trail, attempts, node, uncertain, reordered } = piece;
    const parts = [...byKey.values()].map((own) => {
      const part = this.piece(piece.slot, own);
      const isDivisible = false;
      return Object.assign(part, { trail, attempts, node, uncertain, reordered, isDivisible });
    });
    piece.done = true;
    this.#open -= 1;
    this.#added(parts);
    return parts;
  }

  #key(position: number): string | Uint8Array {
    return this.#parent.command.args[position * this.#how.step] as string | Uint8Array;
  }

  settled(piece: Piece, [error, value]: Reply): void {
    if (error) this.#failed(piece, error);
    else this.#add(piece.positions, value);
    this.#finished(piece);
    this.#ran ||= piece.ran;
    this.#parent.reordered ||= piece.reordered;
    this.#open -= 1;
    if (this.#open === 0) this.#conclude(piece);
  }

  #failed(piece: Piece, error: Error): void {
    for (const position of piece.positions) {
      this.#failures.push(failureOf(position, this.#key(position), piece.slot, error));
    }
  }

  #add(positions: readonly number[], value: unknown): void {
    const { merge } = this.#how;
    if (merge === 'values') {
      for (let at = 0; at < positions.length; at++) {
        this.#values[positions[at] as number] = (value as unknown[])[at];
      }
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
  const args = command.args as (string | Buffer)[];
  // Pushed to, even the array of a single key would have room for seventeen.
  const own = new Array<string | Buffer>(positions.length * step);
  for (let at = 0; at < own.length; at++) {
    const position = positions[Math.floor(at / step)] as number;
    own[at] = args[position * step + (at % step)] as string | Buffer;
  }
  return tail > 0 ? [...own, ...args.slice(-tail)] : own;
}
