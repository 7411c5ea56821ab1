/** Bytes as ASCII text, made by `scripts/inline.mjs`. @internal */
export interface Inlined {
  /** The characters of the text; each but the last ones stands for one byte. */
  alphabet: string;
  /** All byte values, in the order of their codes. */
  order: number[];
  /** How many bytes there are. */
  length: number;
  text: string;
}

/** @internal */
export function decode({ alphabet, order, length, text }: Inlined): Uint8Array<ArrayBuffer> {
  const size = alphabet.length;
  const singles = size - Math.ceil((order.length - size) / (size - 1));
  const ranks = new Uint8Array(128);
  for (let rank = 0; rank < size; rank++) ranks[alphabet.charCodeAt(rank)] = rank;
  const bytes = new Uint8Array(length);
  for (let at = 0, from = 0; at < length; at++) {
    let rank = ranks[text.charCodeAt(from++)] as number;
    if (rank >= singles) {
      rank = singles + (rank - singles) * size + (ranks[text.charCodeAt(from++)] as number);
    }
    bytes[at] = order[rank] as number;
  }
  return bytes;
}
