import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Cluster } from 'ioredis';
import { keySlot } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { capture, root } from '../../scripts/run.mjs';
import { type Block, blocksOf, documentNames, textOf } from '../documents/document.ts';
import { programOf, squeezed } from '../documents/program.ts';
import { exchangesOf, freePorts, installPrograms } from '../documents/session.ts';
import { Stated } from '../documents/stated.ts';
import { releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { stage } from './support/stage.ts';

/** What a block finds at hand without a word about it. */
const NAMES = ['nodes', 'cluster', 'slots', 'require', 'console', 'file', 'refuse'];
const SILENT = { log() {} };

type Code = Pick<Block, 'text' | 'given'>;

describe('the code blocks of the documents', () => {
  let servers: TestCluster;
  const home = process.cwd();
  const files = mkdtempSync(join(tmpdir(), 'redslot-documents-'));
  // Inside of the package, so that a block finds it by its own name.
  const modules = join(root, 'target', 'documents', String(process.pid));
  const programs = join(files, 'bin');

  before(async () => {
    mkdirSync(modules, { recursive: true });
    process.chdir(files);
    servers = await startCluster({ primaries: 3, ports: await freePorts() });
    installPrograms(programs);
  });
  after(async () => {
    process.chdir(home);
    for (const dir of [files, modules]) rmSync(dir, { recursive: true, force: true });
    await servers?.stop();
  });

  async function run({ text, given }: Code, title: string): Promise<void> {
    const { source, results } = programOf(text, given, NAMES);
    const path = join(modules, `${title.replace(/\W+/g, '-')}.mjs`);
    writeFileSync(path, source);
    const { default: program } = await import(pathToFileURL(path).href);
    const stated = new Stated(results);
    await fresh(servers);
    const cluster = new Cluster(servers.startupNodes);
    try {
      await program({
        nodes: servers.startupNodes,
        cluster,
        slots: redslot(cluster),
        require: createRequire(path),
        console: SILENT,
        file: writeFileSync,
        refuse: (command: string, key: string) => refuse(servers, command, key),
        stated,
      });
    } finally {
      cluster.disconnect();
    }
    stated.checkAllSeen();
  }

  /** Types the commands of a block into a shell; its ports stand for those of the cluster. */
  async function type({ text, given }: Code, title: string): Promise<void> {
    await run({ text: '', given }, title);
    const ports = servers.primaries.map((node) => node.port);
    const exchanges = exchangesOf(text, ports);
    const stated = new Stated(exchanges.map(({ printed }) => squeezed(printed)));
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    for (const [at, { command }] of exchanges.entries()) {
      stated.prints(at, [capture('bash', ['-c', command], { cwd: files, env })]);
    }
    stated.checkAllSeen();
  }

  for (const name of documentNames()) {
    const blocks = blocksOf(textOf(name));
    for (const block of blocks) {
      const title = `${name}, ${block.title}`;
      const skip = block.notRun ?? false;
      if (block.language === 'js') it(`run: ${title}`, { skip }, () => run(block, title));
      if (block.language === 'console') it(`run: ${title}`, { skip }, () => type(block, title));
    }
  }

  it('say why, where they are in no language that is run', () => {
    for (const name of documentNames()) {
      for (const { language, title, notRun } of blocksOf(textOf(name))) {
        assert.ok(
          ['', 'js', 'console'].includes(language) || notRun,
          `${name}, ${title}: ${language}`,
        );
      }
    }
  });
});

describe('the messages that the READMEs explain', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  before(async () => {
    servers = await start({ primaries: 3 });
  });

  for (const [release, Cluster] of releases) {
    it(`are those of ${release} and of the server`, async () => {
      const cluster = connect(Cluster, servers);
      const messages = await Promise.all([
        messageOf(cluster.pipeline().get('user:1').get('user:3').exec()),
        messageOf(cluster.pipeline().mget('user:1', 'user:3').exec()),
        messageOf(cluster.mget('user:1', 'user:3')),
      ]);
      for (const name of ['README.md', 'README.ko.md']) {
        for (const message of messages) {
          assert.ok(textOf(name).includes(`| \`${message}\` |`), `${name}: ${message}`);
        }
      }
    });
  }
});

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing failed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Empties the nodes and lets them execute everything. */
async function fresh(servers: TestCluster): Promise<void> {
  const commands = [['FLUSHALL'], ['ACL', 'SETUSER', 'default', '+@all']];
  for (const [name = '', ...args] of commands) {
    await Promise.all(servers.primaries.map((node) => node.ask(name, ...args)));
  }
}

/** Makes the primary of a key refuse a command. */
async function refuse(servers: TestCluster, command: string, key: string): Promise<void> {
  const slot = keySlot(key);
  const at = servers.ranges.findIndex((ranges) =>
    ranges.some(([start, end]) => start <= slot && slot <= end),
  );
  await servers.primaries[at]?.ask('ACL', 'SETUSER', 'default', `-${command}`);
}
