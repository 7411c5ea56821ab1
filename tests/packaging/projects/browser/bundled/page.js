import * as main from 'redslot-wasm';
import * as translated from 'redslot-wasm/js';
import { slotsOf } from '../slots.js';

function askWorker() {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
}

const found = { page: slotsOf([main, translated]), worker: await askWorker() };
document.body.id = 'found';
document.body.textContent = JSON.stringify(found);
