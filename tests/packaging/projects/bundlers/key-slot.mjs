import { keySlot } from 'redslot-wasm';

console.log(keySlot('{user1000}.following'));
