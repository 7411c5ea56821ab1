import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clusterFor } from './support/cluster.ts';
import { assertSlots } from './support/facts.ts';
import { Project } from './support/project.ts';

const project = new Project('realm');

describe('another realm', () => {
  const cluster = clusterFor();

  it('may be where the package runs, while its callers are outside', async () => {
    const told = (await project.output(process.execPath, ['inside.cjs'])).split('\n');
    assert.equal(told.length, 2);
    told.forEach(assertSlots);
  });

  it('may be without TextEncoder, which Node.js has in a module too, or else is told of', async () => {
    const told = (await project.output(process.execPath, ['bare.cjs'])).split('\n');
    assert.equal(told.length, 2);
    assertSlots(told[0] ?? '');
    assert.match(told[1] ?? '', /^redslot-wasm needs TextEncoder and TextDecoder, /);
  });

  it('may be where keys and replies come from', async () => {
    const whole = [{ endpoint: 'h:7000', ranges: [[0, 16383]] }];
    assert.deepEqual(JSON.parse(await project.output(process.execPath, ['values.cjs'])), {
      foreign: false,
      slots: [
        ['bytes', 12182],
        ['view', 12182],
        ['buffer', 12182],
        ['shared', 12182],
      ],
      list: [12182, 12182],
      fromSlots: whole,
      fromShards: whole,
      refused: [true, 'entry 0: expected a reply, found an error: ERR refused'],
    });
  });

  it('may be where keys and values of a call on a cluster come from', async () => {
    const told = await project.output(process.execPath, ['bytes.mjs'], cluster());
    assert.deepEqual(JSON.parse(told), { values: ['00ff', '00ff'], deleted: 2 });
  });
});
