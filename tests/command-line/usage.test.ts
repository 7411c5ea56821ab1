import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../scripts/run.mjs';
import { output, program, run, shell, version } from './support/program.ts';

const COMMANDS = ['slot', 'explain', 'pattern', 'tag', 'partition', 'check'];

describe('redslot-wasm', () => {
  it('tells its version', async () => {
    assert.equal(await output(['--version']), `${version}\n`);
  });

  it('lists its commands and exit codes', async () => {
    const help = await output(['--help']);
    for (const name of COMMANDS) assert.match(help, new RegExp(`^ {2}${name} `, 'm'));
    for (const code of [0, 1, 2, 3, 70]) assert.match(help, new RegExp(`^ {2}${code} +\\w`, 'm'));
    assert.equal(await output(['-h']), help);
  });

  for (const name of COMMANDS) {
    it(`tells about ${name} within 100 columns, without reading anything`, async () => {
      const help = await output([name, '--help']);
      assert.match(help, new RegExp(`^redslot-wasm ${name} `));
      assert.match(help, /^ {2}--json /m);
      assert.ok(help.split('\n').every((line) => line.length <= 100));
    });
  }

  for (const [what, args, says] of [
    ['no command', [], /^redslot-wasm <command>/],
    ['an unknown command', ['slots'], /^There is no command "slots"/],
    ['an unknown option', ['slot', '--slot', 'a'], /^Unknown option '--slot'/],
    ['an option of another command', ['tag', '--hex', '1'], /^Unknown option '--hex'/],
    ['two notations', ['slot', '--hex', '--escapes', 'a'], /exclude each other/],
    ['keys and topology on standard input', ['partition'], /cannot both be read/],
    ['the same for check', ['check', '--keys', '-'], /cannot both be read/],
    ['keys twice', ['partition', '--keys', 'x', 'a'], /either arguments or in the file/],
    ['keys as arguments of check', ['check', 'a'], /--keys only/],
    ['two topologies', ['check', '--topology', 'a', '--cluster', 'b'], /exclude each other/],
    ['a user without a cluster', ['check', '--user', 'a'], /are for --cluster/],
    ['a user without a password', ['check', '--cluster', 'a', '--user', 'b'], /REDISCLI_AUTH/],
    ['a skew without keys', ['check', '--max-skew', '2'], /needs --keys/],
    ['a skew below the mean', ['check', '--keys', 'x', '--max-skew', '0.5'], /1 or more/],
    ['a file that is not there', ['check', '--topology', 'not-there'], /^not-there cannot be read/],
    ['no topology', ['check'], /^Standard input is no topology/],
    ['a port out of range', ['check', '--cluster', 'a:70000'], /takes host:port/],
  ] as const) {
    it(`ends with 2 for ${what}`, async () => {
      const { code, out, err } = await run([...args]);
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.match(err, says);
    });
  }

  it('does not repeat a password that was typed where it does not belong', async () => {
    for (const typed of [
      ['check', '--cluster', 'redis://me:secret@host:6379'],
      ['check', '--cluster', 'me:secret@host'],
      ['check', '--password=secret'],
      ['redis://me:secret@host:6379'],
    ]) {
      const { code, err } = await run(typed);
      assert.equal(code, 2);
      assert.doesNotMatch(err, /secret/);
    }
  });

  it('escapes what it repeats of the input', async () => {
    const { code, err } = await run(['check'], { input: '\u001b]0;owned\u0007\u009b31m\n' });
    assert.equal(code, 2);
    assert.match(err, /^Standard input is no topology: line 1: [ -~]*owned[ -~]*\n$/);
    const unknown = await run(['check', '--\u001b[31m\u202e']);
    assert.match(unknown.err, /^Unknown option '--\\u001b\[31m\\u202e'/);
  });

  it('ends with 70 and a stack for a fault of its own', async () => {
    const fault = 'process.stdout.write = () => { throw new Error("made up") }';
    const preload = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
    const { code, out, err } = await run(['slot', 'foo'], { env: { NODE_OPTIONS: preload } });
    assert.deepEqual({ code, out }, { code: 70, out: '' });
    assert.match(err, /^Error: made up\n {4}at /);
  });

  it('ends with 2 where its output cannot be written', {
    skip: process.platform === 'linux' ? false : 'there is no /dev/full',
  }, async () => {
    const { code, err } = await shell('"$PROGRAM" slot foo >/dev/full');
    assert.equal(code, 2);
    assert.match(err, /^Output: ENOSPC/);
  });
});

describe('redslot-wasm in a directory of its own', () => {
  const dir = mkdtempSync(join(tmpdir(), 'redslot-alone-'));
  before(() => copy('dist', 'package.json'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const alone = join(dir, program.slice(root.length));

  function copy(...names: string[]): void {
    for (const name of names) cpSync(join(root, name), join(dir, name), { recursive: true });
  }

  it('computes slots, and says what --cluster needs', async () => {
    const { code, out, err } = await shell(
      `"${alone}" slot foo && "${alone}" check --cluster 127.0.0.1:6379`,
    );
    assert.deepEqual({ code, out }, { code: 2, out: '12182\tfoo\n' });
    assert.match(err, /^--cluster needs ioredis or iovalkey, and neither is installed/);
    assert.match(err, /\nnpx -p redslot-wasm -p ioredis redslot-wasm /);
  });

  it('tells what an installed client lacks', async () => {
    copy(join('node_modules', 'ioredis'));
    const { code, err } = await shell(`"${alone}" check --cluster 127.0.0.1:6379`);
    assert.equal(code, 2);
    assert.match(err, /^ioredis cannot be loaded: Cannot find module '[^/']+'\n/);
  });

  it('tells the same of a client that is an ECMAScript module', async () => {
    const client = join(dir, 'node_modules', 'ioredis');
    mkdirSync(client, { recursive: true });
    writeFileSync(join(client, 'package.json'), '{"exports":"./index.mjs"}');
    writeFileSync(join(client, 'index.mjs'), 'import "not-there";');
    const { code, err } = await shell(`"${alone}" check --cluster 127.0.0.1:6379`);
    assert.equal(code, 2);
    assert.match(err, /^ioredis cannot be loaded: Cannot find package 'not-there' /);
  });
});
