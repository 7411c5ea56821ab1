import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { values } from './support/replies.ts';
import { error, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';
import { stage } from './support/stage.ts';

interface Command {
  name: string;
  promise: Promise<unknown>;
  resolve(value: unknown): unknown;
  reject(error: Error): void;
}
type SendCommand = (this: unknown, command: Command, ...rest: unknown[]) => unknown;

/** Wraps what the connections of a client send by; gives the function that restores it. */
function wrap(client: ClusterInstance, around: (send: () => unknown, command: Command) => unknown) {
  const prototype = Object.getPrototypeOf(client.nodes()[0]) as { sendCommand: SendCommand };
  const { sendCommand } = prototype;
  prototype.sendCommand = function (command, ...rest) {
    return around(() => sendCommand.call(this, command, ...rest), command);
  };
  return () => {
    prototype.sendCommand = sendCommand;
  };
}

/**
 * Has what the connections of a client send told to `spans`, as OpenTelemetry's instrumentation of
 * ioredis does: once a command is sent, what settles it is replaced by a function that calls what it
 * replaced, without its command. Gives the function that restores the connections.
 */
function instrument(client: ClusterInstance, spans: string[]): () => void {
  return wrap(client, (send, command) => {
    const result = send();
    const { resolve, reject } = command;
    command.resolve = (value) => {
      spans.push(`${command.name} resolved`);
      resolve(value);
    };
    command.reject = (reason) => {
      spans.push(`${command.name} rejected`);
      reject(reason);
    };
    return result;
  });
}

for (const [release, Cluster] of releases) {
  describe(`instrumented connections on ${release}`, () => {
    const clients = stage();
    const start = scriptedStage(Cluster);
    let servers: TestCluster;
    before(async () => {
      servers = await startCluster({ primaries: 2 });
    });
    after(() => servers?.stop());

    it('carry pipelines and commands over several slots as others do', async () => {
      const cluster = clients.connect(Cluster, servers);
      const slots = redslot(cluster);
      await slots.slotMap();
      const spans: string[] = [];
      const restore = instrument(cluster, spans);
      try {
        const replies = await slots
          .pipeline()
          .set('a', 1)
          .hset('b', 'f', 'v')
          .hgetall('b')
          .lpush('a', 'x')
          .exec();
        assert.deepEqual(values((replies ?? []).slice(0, 3)), ['OK', 1, { f: 'v' }]);
        assert.match(String(replies?.[3]?.[0]), /WRONGTYPE/);
        assert.equal(await slots.mset({ a: 1, c: 2 }), 'OK');
        assert.deepEqual(await slots.mget(['c', 'a', 'nope']), ['2', '1', null]);
        assert.equal((await slots.load([['a', 'x']])).written, 1);
      } finally {
        restore();
      }
      const counts: Record<string, number> = {};
      const ours = spans.filter((span) => !/^(client|cluster|info|hello) /.test(span));
      for (const span of ours) counts[span] = (counts[span] ?? 0) + 1;
      assert.deepEqual(counts, {
        'set resolved': 2,
        'hset resolved': 1,
        'hgetall resolved': 1,
        'lpush rejected': 1,
        'mset resolved': 2,
        'mget resolved': 3,
      });
    });

    it('tell how commands end to who reads their promise before or after they are sent', async () => {
      const cluster = clients.connect(Cluster, servers);
      const slots = redslot(cluster);
      await slots.slotMap();
      await cluster.set('a', 'text');
      const told: string[] = [];
      const note = (when: string, { name, promise }: Command) => {
        promise.then(
          (value) => told.push(`${when}: ${name} ${value}`),
          (reason) => told.push(`${when}: ${name} ${(reason as Error).message.split(' ')[0]}`),
        );
      };
      const restore = wrap(cluster, (send, command) => {
        note('before', command);
        const result = send();
        setTimeout(() => note('late', command), 50);
        return result;
      });
      try {
        await slots.pipeline().get('a').lpush('a', 'x').exec();
        await new Promise((resolve) => setTimeout(resolve, 100));
      } finally {
        restore();
      }
      const ours = told.filter((text) => /: (get|lpush) /.test(text));
      assert.deepEqual(ours.sort(), [
        'before: get text',
        'before: lpush WRONGTYPE',
        'late: get text',
        'late: lpush WRONGTYPE',
      ]);
    });

    it('tell each attempt of a command that is redirected', async () => {
      const { client, nodes } = await start(2);
      nodes[1].script = ([name]) =>
        name === 'set' ? error(`MOVED ${keySlot('a')} ${nodes[0].endpoint}`) : undefined;
      nodes[0].script = ([name]) => (name === 'set' ? simple('OK') : undefined);
      const slots = redslot(client);
      await slots.slotMap();
      const spans: string[] = [];
      const restore = instrument(client, spans);
      try {
        assert.deepEqual(values(await slots.pipeline().set('a', 1).exec()), ['OK']);
      } finally {
        restore();
      }
      const told = spans.filter((span) => span.startsWith('set '));
      assert.deepEqual([told.at(0), told.at(-1)], ['set rejected', 'set resolved']);
    });
  });
}
