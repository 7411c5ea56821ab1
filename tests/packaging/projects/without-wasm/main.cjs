const { init, keySlot } = require('redslot-wasm');

try {
  keySlot('foo');
} catch (error) {
  console.log(error.message);
}
init().catch((error) => console.log(error.message));
