/** @jest-environment jsdom */

const job = require('@packaging/job');

test('the package works in jsdom', () => {
  expect(typeof window).toBe('object');
  // Browsers have it, and jsdom does not.
  expect(typeof TextEncoder).toBe('undefined');
  expect(job.slots(require('redslot-wasm'))).toEqual(job.facts.slots);
});
