import { createServer } from 'node:net';

// Below the ports that Linux and macOS hand out to outgoing connections. The cluster bus of a
// node listens 10000 above its port (Redis before 7 allows nothing else).
const FIRST = 11000;
const COUNT = 10000;
const BUS_OFFSET = 10000;

const taken = new Set();

/**
 * A port that is free now, together with its cluster bus port.
 * @param {string} host
 */
export async function freePort(host) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (taken.has(port)) continue;
    if ((await isFree(host, port)) && (await isFree(host, port + BUS_OFFSET))) {
      taken.add(port);
      return port;
    }
  }
  throw new Error(`no free port found between ${FIRST} and ${FIRST + COUNT} on ${host}`);
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(host, port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}
