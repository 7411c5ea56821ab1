const { readFileSync } = require('node:fs');
const vm = require('node:vm');
const job = require('@packaging/job');

/** What a page under a Content-Security-Policy has: no compiling of WebAssembly from bytes. */
const page = vm.createContext(
  { TextDecoder, TextEncoder, structuredClone },
  { codeGeneration: { strings: true, wasm: false } },
);

/** Runs a CommonJS file of the package there. */
function load(name) {
  const module = { exports: {} };
  const code = readFileSync(require.resolve(name), 'utf8');
  const run = vm.compileFunction(code, ['module', 'exports'], { parsingContext: page });
  run(module, module.exports);
  return module.exports;
}

const main = load('redslot-wasm');
try {
  main.keySlot('foo');
} catch (error) {
  console.log(error.message);
}
console.log(JSON.stringify(job.slots(load('redslot-wasm/js'))));

const compiled = new WebAssembly.Module(readFileSync(require.resolve('redslot-wasm/redslot.wasm')));
main.init(compiled).then(() => console.log(JSON.stringify(job.slots(main))));
