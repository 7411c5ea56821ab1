const calculateSlot = require('redslot-wasm/cluster-key-slot');

console.log(calculateSlot('foo{}{bar}'), calculateSlot.generateMulti(['{a}1', '{a}2']));
