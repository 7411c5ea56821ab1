// biome-ignore-all lint/correctness/noUnusedImports: a bundler is to drop them

import { keySlot } from 'redslot-wasm';
import generate from 'redslot-wasm/cluster-key-slot';
import { redslot } from 'redslot-wasm/ioredis';
import * as translated from 'redslot-wasm/js';

console.log('nothing of it was used');
