import job from '@packaging/job';
import * as main from 'redslot-wasm/js';

console.log(JSON.stringify(job.slots(main)));
