import * as main from '../node_modules/redslot-wasm/dist/esm/index.js';
import * as translated from '../node_modules/redslot-wasm/dist/esm/js.js';
import { slotsOf } from '../slots.js';

addEventListener('message', ({ source }) => source.postMessage(slotsOf([main, translated])));
