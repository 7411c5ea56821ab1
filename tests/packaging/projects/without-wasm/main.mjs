import { init, keySlot } from 'redslot-wasm';

try {
  keySlot('foo');
} catch (error) {
  console.log(error.message);
}
await init().catch((error) => console.log(error.message));
