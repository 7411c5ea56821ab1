import * as main from '../node_modules/redslot-wasm/dist/esm/index.js';
import * as translated from '../node_modules/redslot-wasm/dist/esm/js.js';
import { slotsOf } from '../slots.js';

function askWorker() {
  const worker = new Worker('worker.js', { type: 'module' });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
  });
}

async function askServiceWorker() {
  await navigator.serviceWorker.register('service-worker.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
    active.postMessage('slots');
  });
}

const found = {
  page: slotsOf([main, translated]),
  worker: await askWorker(),
  'service worker': await askServiceWorker(),
};
document.body.id = 'found';
document.body.textContent = JSON.stringify(found);
