const job = require('@packaging/job');

test.each(['redslot-wasm', 'redslot-wasm/js'])('%s works after each reset of modules', (name) => {
  const loaded = new Set();
  for (let round = 0; round < 3; round++) {
    const main = require(name);
    loaded.add(main);
    expect(job.slots(main)).toEqual(job.facts.slots);
    jest.resetModules();
  }
  expect(loaded.size).toBe(3);
});
