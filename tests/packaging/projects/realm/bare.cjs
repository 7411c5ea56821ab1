/** The package in realms without TextEncoder and TextDecoder, as that of jsdom is. */

const { readFileSync } = require('node:fs');
const vm = require('node:vm');
const job = require('@packaging/job');

const code = readFileSync(require.resolve('redslot-wasm'), 'utf8');

for (const globals of [{ process }, {}]) {
  const module = { exports: {} };
  const realm = vm.createContext(globals);
  vm.compileFunction(code, ['module', 'exports'], { parsingContext: realm })(
    module,
    module.exports,
  );
  try {
    console.log(JSON.stringify(job.slots(module.exports)));
  } catch (error) {
    console.log(error.message);
  }
}
