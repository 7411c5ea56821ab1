import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { type Reordered, redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import { randomly } from './support/random.ts';
import { values } from './support/replies.ts';
import {
  bulk,
  error,
  integer,
  type Reply,
  ScriptedCluster,
  type ScriptedNode,
} from './support/scripted.ts';

const COMMANDS = 40;
const ROUNDS = 200;

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

for (const [release, Cluster] of releases) {
  describe(`nodes that answer at random on ${release}`, () => {
    let servers: ScriptedCluster;
    let client: ClusterInstance;
    afterEach(() => {
      client.disconnect();
      servers.stop();
    });

    async function start(count: number) {
      servers = await ScriptedCluster.start(count);
      client = new Cluster(servers.startupNodes, {
        maxRedirections: 200,
        slotsRefreshTimeout: 500,
      });
      return servers.nodes;
    }

    it('sends on a command whose slot waited twice, after one that waits a third time', async () => {
      const [target, source] = (await start(2)) as [ScriptedNode, ScriptedNode];
      const asked = new Map<string, number>();
      const answers: Record<string, Reply[]> = {
        '{a}1': [error('TRYAGAIN'), error('TRYAGAIN'), bulk('one')],
        '{a}2': [error('TRYAGAIN'), error(`ASK ${keySlot('a')} ${target.endpoint}`)],
      };
      source.script = ([name, key = '']) => {
        if (name !== 'get') return undefined;
        const count = asked.get(key) ?? 0;
        asked.set(key, count + 1);
        return answers[key]?.[count] ?? answers[key]?.at(-1);
      };
      target.script = ([name]) => (name === 'get' ? bulk('two') : undefined);
      const slots = redslot(client, { retryDelayMin: 1, retryDelayMax: 2, timeout: 2000 });
      const replies = await slots.pipeline().get('{a}1').get('{a}2').exec();
      assert.deepEqual(values(replies), ['one', 'two']);
    });

    for (const kinds of [['MOVED'], ['MOVED', 'ASK', 'TRYAGAIN', 'CLUSTERDOWN']]) {
      it(`runs each command once, and those of a slot in order: ${kinds.join(', ')}`, async () => {
        const nodes = await start(3);
        let random = randomly(1);
        let executed: string[] = [];
        const answer = (key: string): Reply => {
          if (random() > 0.35) {
            executed.push(key);
            return integer(1);
          }
          const kind = pick(kinds, random);
          const { endpoint } = pick(nodes, random);
          return error(/MOVED|ASK/.test(kind) ? `${kind} ${keySlot(key)} ${endpoint}` : kind);
        };
        for (const node of nodes) {
          node.script = ([name, key = '']) => (name === 'incr' ? answer(key) : undefined);
        }
        for (let seed = 1; seed <= ROUNDS; seed++) {
          random = randomly(seed * 7919);
          executed = [];
          const slots = redslot(client, {
            retryDelayMin: 1,
            retryDelayMax: 2,
            chunkCommands: 1 + Math.floor(random() * 6),
            timeout: 5000,
          });
          // Two at once, as what one learns of a slot changes the way of the other.
          const batches = ['x', 'y'].map((name) =>
            Array.from({ length: COMMANDS }, (_, i) => {
              return `{${pick(['a', 'b', 'c', 'd'], random)}}${name}${i}`;
            }),
          );
          const run = (keys: string[]) => slots.pipeline(keys.map((key) => ['incr', key])).exec();
          const replies = await Promise.all(batches.map(run));
          assert.deepEqual([...executed].sort(), batches.flat().sort(), `seed ${seed}`);
          batches.forEach((keys, i) => {
            assertOrder(keys, replies[i] ?? [], executed, `seed ${seed}`);
          });
        }
      });
    }
  });
}

/** Each must have run before all later ones of its slot, or say so. */
function assertOrder(keys: string[], replies: unknown[], executed: string[], message: string) {
  assert.equal(values(replies as never).length, keys.length);
  const rank = new Map(executed.map((key, at) => [key, at]));
  const first = new Map<number, { key: string; at: number }>();
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    const at = rank.get(key) as number;
    const next = first.get(keySlot(key));
    const told = (replies[i] as Reordered).reordered;
    assert.ok(!next || at < next.at || told, `${message}: ${key} ran after ${next?.key}`);
    if (!next || at < next.at) first.set(keySlot(key), { key, at });
  }
}
