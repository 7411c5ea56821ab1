import calculateSlot, { generateMulti } from 'redslot-wasm/cluster-key-slot';

console.log(calculateSlot('foo{}{bar}'), generateMulti(['{a}1', '{a}2']));
