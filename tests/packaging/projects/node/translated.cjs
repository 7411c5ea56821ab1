const job = require('@packaging/job');
const main = require('redslot-wasm/js');

console.log(JSON.stringify(job.slots(main)));
