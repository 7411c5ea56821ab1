/** @jest-environment jsdom */

const { TextDecoder, TextEncoder } = require('node:util');
const job = require('@packaging/job');

// Browsers have them, and jsdom does not.
Object.assign(globalThis, { TextDecoder, TextEncoder });

test('the package works in jsdom', () => {
  expect(typeof window).toBe('object');
  expect(job.slots(require('redslot-wasm'))).toEqual(job.facts.slots);
});
