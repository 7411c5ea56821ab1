const FILLING = 'settings:'.repeat(10);

/**
 * Keys as a program puts them together: V8 keeps such strings as ropes of their parts until
 * somebody reads them. Each call gives new ones.
 * @param {{ bytes: number, tagged?: boolean }} shape
 * @param {number} count
 */
export function ropes({ bytes, tagged = false }, count) {
  const filling = FILLING.slice(0, bytes - (tagged ? 19 : 13));
  return Array.from({ length: count }, (_, at) => {
    const id = String(at).padStart(7, '0');
    return tagged ? `app:{user-${id}}:${filling}` : `user:${id}:${filling}`;
  });
}

/**
 * The same keys as they come from a socket or a file.
 * @param {{ bytes: number, tagged?: boolean }} shape
 * @param {number} count
 */
export function flatKeys(shape, count) {
  return buffers(shape, count).map(String);
}

/**
 * @param {{ bytes: number, tagged?: boolean }} shape
 * @param {number} count
 */
export function buffers(shape, count) {
  return ropes(shape, count).map((key) => Buffer.from(key));
}
