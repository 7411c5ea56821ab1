import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../scripts/run.mjs';
import { documents, output, run, shell } from './support/program.ts';

/** Slots 5400 to 5460 are claimed twice, those from 10001 on by nobody. */
const FAULTY = `1) 1) (integer) 0
   2) (integer) 5460
   3) 1) "192.0.2.1"
      2) (integer) 6379
      3) "p1"
2) 1) (integer) 5400
   2) (integer) 10000
   3) 1) "192.0.2.2"
      2) (integer) 6379
      3) "p2"
   4) 1) "192.0.2.3"
      2) (integer) 6379
      3) "r2"
`;
const WHOLE = JSON.stringify([
  [0, 5460, ['192.0.2.1', 6379, 'p1']],
  [5461, 10922, ['192.0.2.2', 6379, 'p2']],
  [10923, 16383, ['192.0.2.3', 6379, 'p3']],
]);

const dir = mkdtempSync(join(tmpdir(), 'redslot-command-line-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const [faulty, whole] = [join(dir, 'faulty.txt'), join(dir, 'whole.json')];
before(() => {
  writeFileSync(faulty, FAULTY);
  writeFileSync(whole, WHOLE);
});

function fileOf(keys: readonly string[]): string {
  const path = join(dir, 'keys.txt');
  writeFileSync(path, `${keys.join('\n')}\n`);
  return path;
}

describe('partition', () => {
  it('prints the primary of each key, and "-" in gaps and conflicts', async () => {
    // bar is in 5061, foo in 12182; the tag is in 5400.
    const tag = (await output(['tag', '5400'])).trim().split('\t')[1];
    const keys = ['bar', `{${tag}}`, 'foo'];
    const { code, out, err } = await run(['partition', '--topology', faulty, ...keys]);
    assert.deepEqual(
      { code, out },
      {
        code: 1,
        out: `192.0.2.1:6379\t5061\tbar\n-\t5400\t{${tag}}\n-\t12182\tfoo\n`,
      },
    );
    assert.match(err, /^2 of the keys have no primary/);
  });

  it('takes keys from standard input or the topology, the other from a file', async () => {
    const keys = ['foo', 'bar', 'hello'];
    const expected = [
      { key: 'foo', slot: 12182, node: { id: 'p3', endpoint: '192.0.2.3:6379' } },
      { key: 'bar', slot: 5061, node: { id: 'p1', endpoint: '192.0.2.1:6379' } },
      { key: 'hello', slot: 866, node: { id: 'p1', endpoint: '192.0.2.1:6379' } },
    ];
    const input = keys.join('\r\n');
    assert.deepEqual(await documents(['partition', '--topology', whole], { input }), expected);
    const path = fileOf(keys);
    assert.deepEqual(await documents(['partition', '--keys', path], { input: WHOLE }), expected);
    assert.deepEqual(await documents(['partition', ...keys], { input: WHOLE }), expected);
  });
});

describe('check', () => {
  it('finds nothing wrong with a whole topology', async () => {
    assert.equal(
      await output(['check'], { input: WHOLE }),
      'primary         replicas  slots\n' +
        '192.0.2.1:6379         0   5461\n' +
        '192.0.2.2:6379         0   5462\n' +
        '192.0.2.3:6379         0   5461\n' +
        'Every slot has one primary.\n',
    );
  });

  it('reads what a server said', async () => {
    const recorded = join(root, 'tests/corpus/topologies/replicated/nodes.txt');
    const [report] = (await documents(['check', '--topology', recorded])) as [{ ok: boolean }];
    assert.equal(report.ok, true);
  });

  it('stops reading what is longer than any topology', async () => {
    // Endless for all that the program sees: `head` is still at it when it ends.
    const { out, err } = await shell(
      'yes | head -c 400000000 | "$PROGRAM" check; echo "$' + '{PIPESTATUS[*]}"',
    );
    assert.match(out, /^\d+ [1-9]\d* 2\n$/);
    assert.equal(err, 'Standard input is longer than 268435456 bytes.\n');
  });

  it('names gaps and conflicts, and ends with 1', async () => {
    const { code, out, err } = await run(['check'], { input: FAULTY });
    assert.deepEqual({ code, err }, { code: 1, err: '' });
    assert.equal(
      out,
      'primary         replicas  slots\n' +
        '192.0.2.1:6379         0   5400\n' +
        '192.0.2.2:6379         1   4540\n' +
        'none                       6444\n' +
        'Gap: slots 10001 to 16383 (6383)\n' +
        'Conflict: slots 5400 to 5460 (61) claimed by 192.0.2.1:6379 and 192.0.2.2:6379\n',
    );
  });

  it('says the same as a document', async () => {
    const { code, out } = await run(['check', '--json', '--topology', faulty]);
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(out), {
      ok: false,
      primaries: [
        { id: 'p1', endpoint: '192.0.2.1:6379', replicas: 0, slots: 5400, keys: null },
        { id: 'p2', endpoint: '192.0.2.2:6379', replicas: 1, slots: 4540, keys: null },
      ],
      gaps: [[10001, 16383]],
      conflicts: [{ start: 5400, end: 5460, owners: ['192.0.2.1:6379', '192.0.2.2:6379'] }],
      keys: null,
    });
  });

  it('counts keys per primary and names the fullest slots with their tags', async () => {
    // In 12182, 5061 and 866.
    const keys = [
      ...Array.from({ length: 9000 }, (_, i) => `{foo}:${i}`),
      ...Array.from({ length: 2999 }, (_, i) => `${i}{bar}`),
      'hello',
    ];
    const path = fileOf(keys);
    const [report] = await documents(['check', '--keys', path], { input: WHOLE });
    const node = (id: string, host: string, slots: number, count: number) => {
      return { id, endpoint: `${host}:6379`, replicas: 0, slots, keys: count };
    };
    assert.deepEqual(report, {
      ok: true,
      primaries: [
        node('p1', '192.0.2.1', 5461, 3000),
        node('p2', '192.0.2.2', 5462, 0),
        node('p3', '192.0.2.3', 5461, 9000),
      ],
      gaps: [],
      conflicts: [],
      keys: {
        total: 12_000,
        unowned: 0,
        slots: 3,
        skew: 2.25,
        largest: [
          { slot: 12182, keys: 9000, tags: ['{foo}'] },
          { slot: 5061, keys: 2999, tags: ['{bar}'] },
          { slot: 866, keys: 1, tags: [] },
        ],
      },
    });
    const text = await output(['check', '--keys', path, '--max-skew', '2.25'], { input: WHOLE });
    assert.match(text, /^192\.0\.2\.3:6379 +0 +5461 +9000 +75\.0 %$/m);
    assert.match(text, /^12182 {2}9000 {2}75\.0 % {2}\{foo\}$/m);
  });

  it('ends with 1 where a primary has more than --max-skew times the mean', async () => {
    const input = 'foo\nbar\n{foo}2\n';
    const args = ['check', '--topology', whole, '--keys', '-', '--max-skew'];
    assert.equal((await run([...args, '2'], { input })).code, 0);
    const { code, out } = await run([...args, '1.9'], { input });
    assert.equal(code, 1);
    assert.match(out, /the fullest primary has 2\.00 times the mean, more than 1\.9 times\./);
  });

  it('counts keys that nobody serves', async () => {
    const args = ['check', '--topology', faulty, '--keys', '-', '--json'];
    const { code, out } = await run(args, { input: 'foo\nbar\n' });
    assert.equal(code, 1);
    const { total, unowned, skew } = JSON.parse(out).keys;
    assert.deepEqual({ total, unowned, skew }, { total: 2, unowned: 1, skew: 2 });
  });

  it('counts keys in memory that does not grow with them', async () => {
    const lines = "seq -f '{user:%.0f}:a-key-of-some-forty-characters' 1 1000000";
    const limited = `NODE_OPTIONS=--max-old-space-size=48 "$PROGRAM" check --topology "${whole}"`;
    const { out, err } = await shell(`${lines} | ${limited} --keys - --json`);
    assert.equal(err, '');
    const { total, slots } = JSON.parse(out).keys;
    assert.deepEqual({ total, slots }, { total: 1_000_000, slots: 16384 });
  });

  it('takes a file without keys', async () => {
    const args = ['check', '--topology', whole, '--keys', '-'];
    assert.match(await output(args), /\nNo keys on any primary\.\n$/);
  });
});
