/** The package inside of a realm of its own, as a window of Electron is beside Node.js. */

const { readFileSync } = require('node:fs');
const vm = require('node:vm');
const job = require('@packaging/job');

const realm = vm.createContext({ TextDecoder, TextEncoder, structuredClone });

for (const name of ['redslot-wasm', 'redslot-wasm/js']) {
  const module = { exports: {} };
  const code = readFileSync(require.resolve(name), 'utf8');
  const run = vm.compileFunction(code, ['module', 'exports'], { parsingContext: realm });
  run(module, module.exports);
  console.log(JSON.stringify(job.slots(module.exports)));
}
