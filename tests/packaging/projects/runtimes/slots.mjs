import job from '@packaging/job';
import * as main from 'redslot-wasm';
import calculateSlot from 'redslot-wasm/cluster-key-slot';
import * as translated from 'redslot-wasm/js';

console.log(JSON.stringify(job.slots(main)));
console.log(JSON.stringify(job.slots(translated)));
console.log(calculateSlot('foo{}{bar}'));
