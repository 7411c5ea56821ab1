/**
 * `TextEncoder` and `TextDecoder` for all that is bundled: those of the runtime, else those that
 * Node.js has in a module, as in jsdom. Where there are none, only their use fails, so that
 * importing never does.
 */
const { process } = globalThis;
const hasOwn = 'TextEncoder' in globalThis && 'TextDecoder' in globalThis;
const given = (hasOwn ? globalThis : process?.getBuiltinModule?.('node:util')) as
  | Pick<typeof globalThis, 'TextDecoder' | 'TextEncoder'>
  | undefined;

class Absent {
  encode = absent;
  encodeInto = absent;
  // At import, wasm-bindgen decodes nothing to see whether it works.
  decode = (bytes?: unknown): string => (bytes === undefined ? '' : absent());
}

function absent(): never {
  throw new Error(
    'redslot-wasm needs TextEncoder and TextDecoder, which this runtime does not have',
  );
}

export const TextEncoder = given?.TextEncoder ?? (Absent as never);
export const TextDecoder = given?.TextDecoder ?? (Absent as never);
