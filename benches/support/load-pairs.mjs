/** @param {number} at */
export function loadKey(at) {
  return `bench:load:key:${at}:`.padEnd(30, '.');
}

/** @param {number} at */
export function loadValue(at) {
  return `value of ${at}:`.padEnd(100, 'v');
}
