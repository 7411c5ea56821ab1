import * as main from 'redslot-wasm';
import * as translated from 'redslot-wasm/js';
import { slotsOf } from '../slots.js';

postMessage(slotsOf([main, translated]));
