import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';

const [host, port] = process.env.REDIS_CLUSTER.split(',')[0].split(':');
const cluster = new Cluster([{ host, port: Number(port) }]);
try {
  await redslot(cluster).pipeline().set('foo', '1').exec();
} catch (error) {
  console.log(error.code, error.executed, error.message);
}
cluster.disconnect();
