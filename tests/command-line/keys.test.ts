import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documents, output, run, shell } from './support/program.ts';

// Expected slots are CLUSTER KEYSLOT of a server; tests/corpus/chosen.json has most of them.
describe('slot', () => {
  it('prints the slot of each argument, and the argument', async () => {
    assert.equal(
      await output(['slot', '{user1000}.following', 'foo', 'foo{}{bar}']),
      '3443\t{user1000}.following\n12182\tfoo\n8363\tfoo{}{bar}\n',
    );
  });

  it('reads lines with either end, leaves out empty ones, and needs no last newline', async () => {
    const input = '\ufefffoo\r\n\nbar\n\r\nhello';
    assert.equal(await output(['slot'], { input }), '12182\tfoo\n5061\tbar\n866\thello\n');
  });

  it('takes an empty argument for the empty key, and what follows "--" for keys', async () => {
    assert.equal(await output(['slot', '']), '0\t""\n');
    const [first, option] = (await output(['slot', '--', '{foo}', '--json'])).split('\n');
    assert.equal(first, '12182\t{foo}');
    assert.match(option as string, /^\d+\t--json$/);
  });

  it('hashes the bytes of lines that are not UTF-8', async () => {
    const input = Buffer.concat([
      Buffer.from('foo\n'),
      Buffer.from('aced0005740009343130303030323532', 'hex'),
      Buffer.from('\r\n'),
    ]);
    const [, bytes] = await documents(['slot'], { input });
    const [same] = await documents(['slot', '--hex', 'aced0005740009343130303030323532']);
    assert.deepEqual(bytes, same);
    assert.equal((bytes as { hex: string }).hex, 'aced0005740009343130303030323532');
  });

  for (const command of ['slot', 'slot --escapes', 'explain', 'pattern']) {
    it(`refuses an argument of ${command} that is not UTF-8`, async () => {
      const { code, out, err } = await shell(`"$PROGRAM" ${command} foo $'{\\xac\\xed}'`);
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.match(err, /^Argument 2 is not UTF-8, .* --hex\n/);
    });
  }

  it('takes U+FFFD itself by escapes, by hexadecimal digits and by lines', async () => {
    const expected = '13381\t\ufffd\n';
    assert.equal(await output(['slot'], { input: '\ufffd\n' }), expected);
    assert.equal(await output(['slot', '--hex', 'efbfbd']), expected);
    assert.equal(await output(['slot', '--escapes', '\\xef\\xbf\\xbd']), expected);
  });

  it('reads keys as redis-cli prints them, and prints them so', async () => {
    const printed = '"\\xac\\xed\\x00\\x05t\\x00\\n4100000252"';
    const expected = `6933\t${printed}\n`;
    assert.equal(await output(['slot', '--escapes', printed]), expected);
    assert.equal(await output(['slot', '--escapes', printed.slice(1, -1)]), expected);
    assert.equal(await output(['slot', '--escapes'], { input: `${printed}\n` }), expected);
    assert.equal(await output(['slot', '--hex', 'aced000574000a34313030303030323532']), expected);
  });

  it('prints nothing that a terminal would obey, and what it prints can be read again', async () => {
    const keys = ['a\u001b[31mb', 'a\u009b31mb', 'a\u202eb', 'a"b', 'a\\x41', ' a ', 'é', 'a\tb'];
    const out = await output(['slot', ...keys]);
    const safe = out.replaceAll(/[\t\n]/g, '');
    assert.match(safe, /^[\x20-\x7eé]*$/);
    const shown = out.trimEnd().split('\n');
    const input = shown.map((line) => line.slice(line.indexOf('\t') + 1)).join('\n');
    assert.equal(await output(['slot', '--escapes'], { input }), out);
    const documentsText = await output(['slot', '--json', ...keys]);
    assert.match(documentsText, /^[\n\x20-\x7eé]*$/);
    const read = documentsText.trimEnd().split('\n');
    assert.deepEqual(
      read.map((line) => JSON.parse(line).key),
      keys,
    );
  });

  it('answers a hundred thousand lines in their order', async () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `{user${i % 1000}}:cart:${i}`);
    const lines = (await output(['slot'], { input: keys.join('\n') })).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split('\t')[1]),
      keys,
    );
    assert.equal(lines[0], `${await slotOf('user0')}\t{user0}:cart:0`);
    assert.equal(lines[99_000]?.split('\t')[0], lines[0]?.split('\t')[0]);
  });

  it('needs no memory that grows with the lines', async () => {
    const lines = "seq -f '{user:%.0f}:a-key-of-some-forty-characters' 1 1000000";
    const limited = 'NODE_OPTIONS=--max-old-space-size=16 "$PROGRAM" slot';
    const { out, err } = await shell(`${lines} | ${limited} | tail -1`);
    assert.equal(err, '');
    assert.match(out, /^\d+\t\{user:1000000\}:a-key-of-some-forty-characters\n$/);
  });

  it('takes a line of megabytes', async () => {
    const long = `{foo}${'x'.repeat(3_000_000)}`;
    const lines = (await output(['slot'], { input: `bar\n${long}\nfoo\n` })).split('\n');
    assert.deepEqual(
      lines.map((line) => line.split('\t')[0]),
      ['5061', '12182', '12182', ''],
    );
    assert.equal(lines[1], `12182\t${long}`);
  });

  it('ends quietly when its reader goes', async () => {
    const { code, out, err } = await shell(
      `set -o pipefail; yes foo | head -200000 | "$PROGRAM" slot | head -1; echo "$` +
        '{PIPESTATUS[2]}"',
    );
    assert.deepEqual({ code, out, err }, { code: 0, out: '12182\tfoo\n0\n', err: '' });
  });

  it('names the line that is not hexadecimal', async () => {
    const { code, out, err } = await run(['slot', '--hex'], { input: '666f6f\n\n66f\n' });
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(err, /^Line 3 has to be pairs of hexadecimal digits/);
  });

  it('--same prints the one slot', async () => {
    assert.equal(await output(['slot', '--same', '{foo}1', 'foo', 'a{foo}']), '12182\n');
    assert.deepEqual(await documents(['slot', '--same', 'foo', '{foo}']), [{ slots: [12182] }]);
    assert.equal(await output(['slot', '--same']), 'no keys\n');
  });

  it('--same tells which keys are elsewhere, and ends with 1', async () => {
    const keys = ['{a}:wait', '{b}:wait', '\u001b[31m{a}'];
    const { code, out, err } = await run(['slot', '--same', ...keys]);
    assert.deepEqual({ code, err }, { code: 1, err: '' });
    assert.match(out, /^These 3 keys are in 2 hash slots/);
    assert.match(out, /"\{b\}:wait": slot 3300, tag \{b\}/);
    assert.equal(out.includes('\u001b'), false);
    const told = await run(['slot', '--same', '--json', ...keys]);
    assert.deepEqual(
      { ...told, out: JSON.parse(told.out) },
      {
        code: 1,
        out: { slots: [15495, 3300] },
        err: '',
      },
    );
  });
});

describe('explain', () => {
  it('shows what is hashed and why', async () => {
    const out = await output(['explain', '{user1000}.following', 'foo{}{bar}']);
    assert.match(out, /^\{user1000\}\.following\n {2}slot {4}3443\n {2}hashed {2}user1000\n/);
    assert.match(out, /\nfoo\{\}\{bar\}\n {2}slot {4}8363\n {2}hashed {2}foo\{\}\{bar\}\n/);
    assert.match(out, /an empty tag does not count/);
  });

  it('gives positions in bytes, and bytes in hexadecimal', async () => {
    const [text, bytes] = (await documents(['explain', 'é{a}b'])).concat(
      await documents(['explain', '--hex', 'ac7b61ff7d']),
    ) as Record<string, unknown>[];
    assert.deepEqual(
      { ...text, reason: '' },
      {
        key: 'é{a}b',
        slot: 15495,
        hashed: 'a',
        tag: { start: 3, end: 4 },
        braces: { open: 2, close: 4 },
        reason: '',
      },
    );
    assert.equal(bytes?.hex, 'ac7b61ff7d');
    assert.equal(bytes?.hashed, '61ff');
  });
});

describe('pattern', () => {
  it('prints the one slot of a match, or all', async () => {
    assert.equal(
      await output(['pattern', '{a}*', 'user:{42}:*', '*{a}', '{a*}']),
      '15495\t{a}*\n8000\tuser:{42}:*\nall\t*{a}\nall\t{a*}\n',
    );
    assert.deepEqual(await documents(['pattern'], { input: '{a}*\n*\n' }), [
      { key: '{a}*', slot: 15495 },
      { key: '*', slot: null },
    ]);
  });
});

describe('tag', () => {
  it('prints a tag that is on each slot', async () => {
    const slots = ['0', '5061', '16383'];
    const lines = (await output(['tag', ...slots])).trimEnd().split('\n');
    const pairs = lines.map((line) => line.split('\t') as [string, string]);
    assert.deepEqual(
      pairs.map(([slot]) => slot),
      slots,
    );
    for (const [slot, tag] of pairs) assert.equal(String(await slotOf(`{${tag}}:x`)), slot);
    const all = await documents(['tag'], {
      input: Array.from({ length: 16384 }, (_, i) => i).join('\n'),
    });
    assert.equal(all.length, 16384);
  });

  for (const wrong of ['16384', '-1', 'x', '1.5', '0x1', '1e3']) {
    it(`refuses ${wrong}`, async () => {
      const { code, out, err } = await run(['tag', '--', wrong]);
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.equal(err, 'Argument 1 is not a hash slot (0 to 16383).\n');
    });
  }

  it('names the line that is no slot, without repeating it', async () => {
    const { code, out, err } = await run(['tag'], { input: `\n\n${'9'.repeat(1_000_000)}\n` });
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.equal(err, 'Line 3 is not a hash slot (0 to 16383).\n');
  });
});

async function slotOf(key: string): Promise<number> {
  return Number((await output(['slot', '--', key])).split('\t')[0]);
}
