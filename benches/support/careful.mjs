/**
 * What a careful author writes in plain JavaScript, by the rule of the server: the tag is what
 * stands between the first `{` and the first `}` after it, unless that is nothing.
 */

/** CRC16 (XMODEM) of each byte. */
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
  return crc;
});

/** @param {string} key */
export function carefulSlot(key) {
  let from = 0;
  let to = key.length;
  const open = key.indexOf('{');
  if (open !== -1) {
    const close = key.indexOf('}', open + 1);
    if (close > open + 1) {
      from = open + 1;
      to = close;
    }
  }
  let crc = 0;
  for (let at = from; at < to; at++) {
    const unit = key.charCodeAt(at);
    if (unit > 0x7f) return slotOfBytes(Buffer.from(key.slice(from, to)), 0);
    crc = ((crc & 0xff) << 8) ^ /** @type {number} */ (TABLE[(crc >> 8) ^ unit]);
  }
  return crc & 0x3fff;
}

/** @param {Buffer} key */
export function carefulSlotOfBuffer(key) {
  const open = key.indexOf(0x7b);
  if (open === -1) return slotOfBytes(key, 0);
  const close = key.indexOf(0x7d, open + 1);
  return close > open + 1 ? slotOfBytes(key, open + 1, close) : slotOfBytes(key, 0);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} [to]
 */
function slotOfBytes(bytes, from, to = bytes.length) {
  let crc = 0;
  for (let at = from; at < to; at++) {
    const byte = /** @type {number} */ (bytes[at]);
    crc = ((crc & 0xff) << 8) ^ /** @type {number} */ (TABLE[(crc >> 8) ^ byte]);
  }
  return crc & 0x3fff;
}
