import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Project, prepared, tarball } from './support/project.ts';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

describe('npm install', () => {
  const dirs: string[] = [];
  after(() => {
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  /** Lets npm choose, in an empty project, what it would install. */
  async function install(dependencies: Record<string, string>) {
    const dir = mkdtempSync(join(prepared, 'install-'));
    dirs.push(dir);
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const args = ['install', '--prefix', dir, '--package-lock-only', ...QUIET, tarball];
    const ended = await new Project('package').run('npm', args, process.env);
    const chosen = () => {
      const lock = JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8'));
      return Object.keys(lock.packages).filter((path) => path !== '');
    };
    return { ...ended, chosen };
  }

  it('brings the package alone where ioredis is not asked for', async () => {
    const { code, err, chosen } = await install({});
    assert.deepEqual(
      { code, err, chosen: chosen() },
      {
        code: 0,
        err: '',
        chosen: ['node_modules/redslot-wasm'],
      },
    );
  });

  for (const version of ['5.0.0', '5.11.1', '6.0.0']) {
    it(`takes it beside ioredis ${version}`, async () => {
      const { code, err, chosen } = await install({ ioredis: version });
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      assert.ok(chosen().includes('node_modules/redslot-wasm'));
    });
  }

  for (const version of ['0.3.1', '0.4.0']) {
    it(`takes it beside iovalkey ${version}, without ioredis`, async () => {
      const { code, err, chosen } = await install({ iovalkey: version });
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      assert.ok(!chosen().includes('node_modules/ioredis'));
    });
  }

  it('brings the program of the command line', async () => {
    const dir = mkdtempSync(join(prepared, 'install-'));
    dirs.push(dir);
    writeFileSync(join(dir, 'package.json'), '{ "private": true }');
    const args = ['install', '--prefix', dir, ...QUIET, tarball];
    const project = new Project('package');
    assert.equal((await project.run('npm', args, process.env)).code, 0);
    const program = join(dir, 'node_modules', '.bin', 'redslot-wasm');
    assert.equal(await project.output(program, ['slot', 'foo']), '12182\tfoo');
  });

  it('refuses it beside ioredis 4', async () => {
    const { code, err } = await install({ ioredis: '4.31.0' });
    assert.equal(code, 1);
    assert.match(err, /ERESOLVE[\s\S]*peerOptional ioredis@">=5.0.0 <7" from redslot-wasm@/);
  });
});
