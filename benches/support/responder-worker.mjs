/**
 * Three nodes that speak RESP and hold nothing: GET and MGET answer with the keys themselves, so
 * that every reply shows whose it is. A key that begins with `ask:` is answered with ASK first.
 */
import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { carefulSlot } from './careful.mjs';
import { SLOTS } from './ranges.mjs';

const HOST = '127.0.0.1';
const NODES = 3;

/** @type {number[]} */
const ports = [];
const servers = Array.from({ length: NODES }, (_, at) =>
  createServer((socket) => serve(socket, at)),
);
for (const server of servers) {
  await new Promise((resolve) => server.listen(0, HOST, () => resolve(null)));
  ports.push(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
}
parentPort?.postMessage(ports);

/**
 * @param {import('node:net').Socket} socket
 * @param {number} node
 */
function serve(socket, node) {
  const state = { node, asking: false };
  let rest = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (text) => {
    const { commands, end } = parse(rest + text);
    rest = (rest + text).slice(end);
    let replies = '';
    for (const command of commands) replies += answer(command, state);
    socket.write(replies, 'latin1');
  });
}

/**
 * The whole commands at the beginning of a text, and where they end.
 * @param {string} text
 */
function parse(text) {
  /** @type {string[][]} */
  const commands = [];
  let end = 0;
  for (let at = 0; at < text.length; ) {
    const line = text.indexOf('\r\n', at);
    if (line === -1) break;
    const args = [];
    const count = Number(text.slice(at + 1, line));
    at = line + 2;
    while (args.length < count) {
      const next = text.indexOf('\r\n', at);
      if (next === -1) return { commands, end };
      const from = next + 2;
      const to = from + Number(text.slice(at + 1, next));
      if (to + 2 > text.length) return { commands, end };
      args.push(text.slice(from, to));
      at = to + 2;
    }
    commands.push(args);
    end = at;
  }
  return { commands, end };
}

/**
 * @param {string[]} command
 * @param {{ node: number, asking: boolean }} state
 */
function answer([name = '', ...args], state) {
  const [first = ''] = args;
  const { asking } = state;
  state.asking = /^asking$/i.test(name);
  if (first.startsWith('ask:') && !asking) {
    return `-ASK ${carefulSlot(first)} ${HOST}:${ports[(state.node + 1) % NODES]}\r\n`;
  }
  if (/^get$/i.test(name)) return bulk(first);
  if (/^mget$/i.test(name)) return `*${args.length}\r\n${args.map(bulk).join('')}`;
  if (/^info$/i.test(name)) return bulk('redis_version:7.2.0\r\nloading:0\r\n');
  if (/^cluster$/i.test(name))
    return /^slots$/i.test(first) ? topology() : bulk('cluster_state:ok');
  return '+OK\r\n';
}

function topology() {
  const entries = ports.map((port, at) => {
    const [start, end] = [at, at + 1].map((edge) => Math.floor((edge * SLOTS) / NODES));
    const node = `*3\r\n${bulk(HOST)}:${port}\r\n${bulk(String(at).repeat(40))}`;
    return `*3\r\n:${start}\r\n:${Number(end) - 1}\r\n${node}`;
  });
  return `*${NODES}\r\n${entries.join('')}`;
}

/** @param {string} text */
function bulk(text) {
  return `$${text.length}\r\n${text}\r\n`;
}
