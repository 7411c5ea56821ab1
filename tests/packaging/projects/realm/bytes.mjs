/** Keys and values that were made in another realm, as bytes, in calls on a cluster. */

import vm from 'node:vm';
import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';

const realm = vm.createContext({});
const key = vm.runInContext('Uint8Array.of(102, 111, 111)', realm);
const value = vm.runInContext('Uint8Array.of(0, 255)', realm);
const pairs = vm.runInContext('new Map()', realm);
pairs.set(key, value).set('bar', value);

const [host, port] = process.env.REDIS_CLUSTER.split(',')[0].split(':');
const cluster = new Cluster([{ host, port: Number(port) }]);
const slots = redslot(cluster);
await slots.mset(pairs);
const values = await slots.mget(['foo', 'bar'], { buffer: true });
const deleted = await slots.del([key, 'bar']);
console.log(JSON.stringify({ values: values.map((bytes) => bytes.toString('hex')), deleted }));
cluster.disconnect();
