import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

/** Runs a script in a process of its own and gives what it prints. */
function run(script: string, type: 'module' | 'commonjs' = 'module'): string {
  const args = [`--input-type=${type}`, '--eval', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

/** Makes compiling impossible, as a Content-Security-Policy does. */
const FORBID = `
  const { Module } = WebAssembly;
  WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('forbidden'); } };
`;

/** Keeps the memory of every instance in \`memories\`. */
const WATCH = `
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module, imports) {
    const instance = new Instance(module, imports);
    memories.push(instance.exports.memory);
    return instance;
  };
`;

/** Bytes that a server sends of the main entry, the module included. */
const MAIN_ENTRY_BUDGET = 90_000;

describe('loading', () => {
  it('keeps the main entry within its budget', (context) => {
    const entry = createRequire(import.meta.url).resolve('redslot-wasm');
    const bytes = gzipSync(readFileSync(entry), { level: 9 }).length;
    context.diagnostic(`${bytes} bytes compressed`);
    assert.ok(bytes < MAIN_ENTRY_BUDGET, `${bytes} bytes compressed`);
  });

  it('works by import and by require, without init', () => {
    assert.equal(
      run(`import { keySlot } from 'redslot-wasm'; console.log(keySlot('foo'));`),
      '12182',
    );
    assert.equal(run(`console.log(require('redslot-wasm').keySlot('foo'));`, 'commonjs'), '12182');
  });

  it('exports the documented names and no more', () => {
    const names = run(
      `console.log(Object.keys(require('redslot-wasm')).sort().join());`,
      'commonjs',
    );
    const expected = [
      'CrossSlotError,SlotMap,TopologyError,assertSameSlot',
      'explainKey,init,keySlot,keySlots,patternSlot,slotTag',
    ].join();
    assert.equal(names, expected);
  });

  it('compiles nothing at import', () => {
    run(`${FORBID} await import('redslot-wasm');`);
  });

  it('compiles the bytes of redslot.wasm', () => {
    const told = run(`
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      const { Module } = WebAssembly;
      let compiled;
      WebAssembly.Module = function (bytes) { compiled = bytes; return new Module(bytes); };
      const { keySlot } = await import('redslot-wasm');
      keySlot('foo');
      const path = createRequire(import.meta.url).resolve('redslot-wasm/redslot.wasm');
      console.log(readFileSync(path).equals(compiled));
    `);
    assert.equal(told, 'true');
  });

  it('says what to do where compiling is forbidden, and works once that is done', () => {
    const told = run(`
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      ${FORBID}
      const { keySlot, init } = await import('redslot-wasm');
      try { keySlot('foo'); } catch (error) { console.log(error.message, error.cause.message); }
      const path = createRequire(import.meta.url).resolve('redslot-wasm/redslot.wasm');
      await init(new Module(readFileSync(path)));
      console.log(keySlot('foo'));
    `);
    assert.match(told, /await init\(module\).* forbidden\n12182$/s);
  });

  it('needs no WebAssembly as redslot-wasm/js, which exports the same names', () => {
    const told = run(
      `
      const main = Object.keys(require('redslot-wasm')).sort().join();
      delete globalThis.WebAssembly;
      const translated = require('redslot-wasm/js');
      console.log(Object.keys(translated).sort().join() === main);
      translated.init(new URL('file:///nowhere')).then(async () => {
        const { keySlot, SlotMap } = await import('redslot-wasm/js');
        console.log(keySlot('foo'), translated.keySlot('foo'));
        const large = Array.from({ length: 50_000 }, (_, i) => [i % 16384, i % 16384, ['h', 1]]);
        console.log(SlotMap.fromSlots(large).primaries[0].ranges.join());
        console.log(keySlot('a'.repeat(20_000_000)), keySlot('foo'));
      });
    `,
      'commonjs',
    );
    assert.equal(told, 'true\n12182 12182\n0,16383\n15358 12182');
  });

  it('tells what does not fit into memory, and works on, also without WebAssembly', () => {
    const told = run(`
      const { ArrayBuffer } = globalThis;
      delete globalThis.WebAssembly;
      globalThis.ArrayBuffer = class {
        constructor(size) {
          if (size > 8 * 1024 * 1024) throw new RangeError('no room');
          return new ArrayBuffer(size);
        }
        static isView = ArrayBuffer.isView;
      };
      const { keySlot } = await import('redslot-wasm/js');
      try { keySlot('a'.repeat(20_000_000)); } catch ({ name, message }) { console.log(name, message); }
      console.log(keySlot('foo'));
    `);
    assert.match(told, /^RangeError the input does not fit into the memory .*\n12182$/);
  });

  it('initialises from nothing, bytes, a response, a promise of one, a file', () => {
    const slots = run(`
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      import { pathToFileURL } from 'node:url';
      import { init, keySlot } from 'redslot-wasm';
      const path = createRequire(import.meta.url).resolve('redslot-wasm/redslot.wasm');
      const bytes = readFileSync(path);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const sources = [undefined, bytes, view, new Response(bytes),
        Promise.resolve(new Response(bytes))];
      if (process.getBuiltinModule) sources.push(pathToFileURL(path));
      for (const source of sources) { await init(source); console.log(keySlot('foo')); }
    `);
    assert.match(slots, /^(12182\n){4,5}12182$/);
  });

  it('refuses a foreign module and keeps the one it has', () => {
    const told = run(`
      import { init, keySlot } from 'redslot-wasm';
      keySlot('foo');
      const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      for (const source of [empty, 5, new Response('', { status: 404 })]) {
        await init(source).catch((error) => console.log(error.name));
      }
      console.log(keySlot('foo'));
    `);
    assert.equal(told, 'TypeError\nTypeError\nTypeError\n12182');
  });
});

describe('memory', () => {
  it('stays flat over batches of any size, good and bad', () => {
    const sizes = run(`
      ${WATCH}
      const { keySlots, SlotMap } = await import('redslot-wasm');
      const keys = Array.from({ length: 100_000 }, (_, at) => 'user:' + at + ':{profile}');
      const map = SlotMap.fromSlots([[0, 8191, ['h', 1]], [8192, 16383, ['h', 2]]]);
      const counts = new Uint32Array(keys.length).fill(1);
      const sizes = new Set();
      for (let round = 0; round < 60; round++) {
        keySlots(keys); map.partition(keys); map.route(keys, counts);
        try { SlotMap.fromSlots([[0, 1, ['h', 0]]]); } catch {}
        try { keySlots([...keys.slice(0, 5), 5]); } catch {}
        sizes.add(memories.at(-1).buffer.byteLength);
      }
      console.log(memories.length, sizes.size, [...sizes][0] < 4 * 1024 * 1024);
    `);
    assert.equal(sizes, '1 1 true');
  });

  it('is given back after an outsized key', () => {
    const sizes = run(`
      ${WATCH}
      const { keySlot } = await import('redslot-wasm');
      keySlot('foo');
      const before = memories.at(-1).buffer.byteLength;
      keySlot(Buffer.alloc(50_000_000, 'x'));
      console.log(keySlot('foo'), memories.at(-1).buffer.byteLength === before);
    `);
    assert.equal(sizes, '12182 true');
  });

  it('is replaced after a call that was torn away by a stack overflow', () => {
    const slots = run(`
      import { keySlot, keySlots, explainKey, SlotMap } from 'redslot-wasm';
      const calls = [() => keySlot('foo'), () => keySlots(['foo']), () => explainKey('foo'),
        () => SlotMap.fromSlots([[0, 16383, ['h', 1]]])];
      for (const call of calls) {
        const dive = () => { try { call(); dive(); } catch { try { call(); } catch {} } };
        for (let round = 0; round < 20; round++) dive();
        console.log(keySlot('foo'), keySlots(['foo', 'bar']).join(), explainKey('foo').slot);
      }
    `);
    assert.equal(slots, Array(4).fill('12182 12182,5061 12182').join('\n'));
  });
});
