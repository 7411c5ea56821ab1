/**
 * Loads pairs from a generator in a process of its own, and tells its parent by how much its
 * resident memory grew meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';
import { loadKey, loadValue } from './load-pairs.mjs';

const WARM_UP = 10_000;
const SAMPLE_EVERY = 20;

/** @typedef {{ written: number } | { idle: number, peak: number, written: number, failed: number, milliseconds: number }} Report */

const count = Number(process.argv[2]);
const startupNodes = JSON.parse(process.argv[3] ?? '');

/** @param {Report} report */
const send = (report) => void process.send?.(report);

const orphaned = () => process.exit(1);
process.once('disconnect', orphaned);

/**
 * @param {number} from
 * @param {number} to
 * @returns {Generator<[string, string]>}
 */
function* pairs(from, to) {
  for (let at = from; at < to; at++) yield [loadKey(at), loadValue(at)];
}

const cluster = new Cluster(startupNodes);
await redslot(cluster).load(pairs(0, Math.min(WARM_UP, count)));
await pause(500);
const idle = process.memoryUsage.rss();
let peak = idle;
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE_EVERY);
let told = 0;
const begin = performance.now();
const { written, failed } = await redslot(cluster).load(pairs(0, count), {
  onProgress: (progress) => {
    if (progress.written < told + count / 20) return;
    told = progress.written;
    send({ written: told });
  },
});
const milliseconds = performance.now() - begin;
clearInterval(sampling);
cluster.disconnect();
send({ idle, peak, written, failed, milliseconds });
process.off('disconnect', orphaned);
process.disconnect?.();
