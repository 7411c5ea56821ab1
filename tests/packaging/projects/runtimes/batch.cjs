const job = require('@packaging/job');
const main = require('redslot-wasm');
const { redslot } = require('redslot-wasm/ioredis');

const { Cluster } = require('ioredis');
job.replies(redslot, Cluster, process.env.REDIS_CLUSTER).then((replies) => {
  console.log(JSON.stringify({ ...job.slots(main), replies }));
});
