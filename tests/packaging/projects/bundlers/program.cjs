const job = require('@packaging/job');
const { Cluster } = require('ioredis');
const main = require('redslot-wasm');
const { redslot } = require('redslot-wasm/ioredis');

job.replies(redslot, Cluster, process.env.REDIS_CLUSTER).then((replies) => {
  console.log(JSON.stringify({ ...job.slots(main), replies }));
});
