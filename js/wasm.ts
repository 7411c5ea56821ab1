import * as glue from '../pkg/redslot_wasm_bg.js';
import { type Compiled, compile, compileFrom, instantiate, isTrap } from './module/inlined.js';
import type { InitSource } from './module/source.js';
import { SLOT_COUNT } from './slot-count.js';

/**
 * The one instance, with views of its scratch area. `src/wasm.rs` describes the fields.
 * @internal
 */
export interface Core {
  readonly memory: WebAssembly.Memory;
  readonly calls: Calls;
  readonly bytes: Uint8Array;
  /** The same as `bytes`, four at a time, the first of them lowest. */
  readonly words: Uint32Array;
  readonly counts: Uint32Array;
  readonly slots: Uint16Array;
  readonly owners: Uint16Array;
  readonly firsts: Int32Array;
  readonly order: Uint32Array;
  readonly ends: Uint32Array;
  /** Whether a call is under way, or did not come to its end, or the instance is to be replaced. */
  torn: boolean;
}

/** The exports that take and give numbers only, called without wasm-bindgen's glue. */
interface Calls {
  hash_one(length: number): number;
  hash_many(keys: number): number;
  units_to_bytes(keys: number): number;
  partition(keys: number, base: number, primaries: number): number;
  route_many(keys: number, commands: number, base: number, primaries: number): number;
}

/** The exports that take and give JavaScript values. @internal */
export type Glue = typeof glue;

/** Groups that a routing has beyond one per primary: keyless, unowned, cross-slot. @internal */
export const EXTRA_GROUPS = 3;

/** An instance whose memory has grown beyond this after an outsized input is replaced. */
const MEMORY_LIMIT = 16 * 1024 * 1024;

let module: Compiled | undefined;
let current: Core | undefined;

/** The memory that the glue may hold views of, also when its instance is no longer in use. */
let viewed: WebAssembly.Memory | undefined;

/**
 * The instance, compiled and started at the first call.
 * @internal
 */
export function core(): Core {
  if (current === undefined || current.torn) {
    module ??= compile();
    current = start(module);
  } else if (current.bytes.length === 0) {
    // The memory has grown, which detaches every view of it.
    const { memory, calls } = current;
    current = undefined;
    current = views(memory, calls);
  }
  return current;
}

/**
 * Runs a call into the instance. If it throws, as at the end of the JavaScript stack, it stays
 * marked as torn, and the next call starts a fresh instance.
 * @internal
 */
export function crossing<T>(at: Core, call: (calls: Calls) => T): T {
  // No catch: where the stack is at its end, a handler may not get to run either.
  at.torn = true;
  const result = call(at.calls);
  at.torn = false;
  return result;
}

/**
 * Runs a call that takes JavaScript values or allocates. When it leaves more memory behind than is
 * worth keeping, the next call starts a fresh instance.
 *
 * @throws A `RangeError` when its input does not fit into memory.
 * @internal
 */
export function guarded<T>(call: (glue: Glue) => T): T {
  const at = core();
  try {
    const result = crossing(at, () => call(glue));
    if (at.memory.buffer.byteLength > MEMORY_LIMIT) at.torn = true;
    return result;
  } catch (cause) {
    // The core does not panic: it traps only where the allocator has no more to give.
    if (!isTrap(cause)) throw cause;
    throw new RangeError('the input does not fit into the memory of WebAssembly', { cause });
  }
}

/**
 * Compiles and starts the module ahead of the first call.
 *
 * Needed only where compiling synchronously from bytes is forbidden, or to load the module from
 * a file of its own (`redslot-wasm/redslot.wasm`). Without a source it compiles the inlined bytes
 * asynchronously. A later call with a source replaces the instance.
 *
 * @throws A `TypeError` or `WebAssembly` error (as a rejection) when the source cannot be fetched
 * or compiled, or is not this package's module; the instance in use stays.
 */
export async function init(source?: InitSource): Promise<void> {
  if (source === undefined && current !== undefined) return;
  const compiled = await compileFrom(source);
  current = start(compiled);
  module = compiled;
}

function start(compiled: Compiled): Core {
  const imports = glue as unknown as WebAssembly.ModuleImports;
  const exports = instantiate(compiled, { './redslot_wasm_bg.js': imports });
  if (typeof exports.hash_many !== 'function') {
    throw new TypeError('init was given a WebAssembly module that is not that of redslot-wasm');
  }
  // The glue renews its views of a memory when it finds them detached, which growing does.
  viewed?.grow(0);
  viewed = exports.memory as WebAssembly.Memory;
  glue.__wbg_set_wasm(exports);
  return views(viewed, exports as unknown as Calls);
}

function views(memory: WebAssembly.Memory, calls: Calls): Core {
  const [bytes, counts, slots, owners, firsts, order, ends, chunkBytes, chunkKeys] = glue.layout();
  // Laying out may have grown the memory, so its buffer is asked for only now.
  const { buffer } = memory;
  return {
    memory,
    calls,
    bytes: new Uint8Array(buffer, bytes, chunkBytes),
    words: new Uint32Array(buffer, bytes, (chunkBytes as number) / 4),
    counts: new Uint32Array(buffer, counts, chunkKeys),
    slots: new Uint16Array(buffer, slots, chunkKeys),
    owners: new Uint16Array(buffer, owners, SLOT_COUNT),
    firsts: new Int32Array(buffer, firsts, chunkKeys),
    order: new Uint32Array(buffer, order, chunkKeys),
    ends: new Uint32Array(buffer, ends, SLOT_COUNT + EXTRA_GROUPS),
    torn: false,
  };
}
