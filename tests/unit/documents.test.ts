import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { capture, root } from '../../scripts/run.mjs';
import {
  anchorsOf,
  blocksOf,
  countBlocks,
  documentNames,
  figuresOf,
  linksOf,
  textOf,
} from '../documents/document.ts';
import { programOf } from '../documents/program.ts';
import { exchangesOf } from '../documents/session.ts';
import { Stated } from '../documents/stated.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    let checked = 0;
    for (const name of capture('git', ['ls-files', '*.md']).split('\n')) {
      for (const link of linksOf(textOf(name))) {
        if (/^\w+:/.test(link)) continue;
        const [path = '', anchor] = link.split('#').map(decodeURIComponent);
        const target = path === '' ? name : join(dirname(name), path);
        assert.ok(existsSync(join(root, target)), `${name}: ${link}`);
        if (anchor !== undefined) assert.ok(anchorsOf(textOf(target)).has(anchor), link);
        checked++;
      }
    }
    assert.ok(checked > 20, `${checked}`);
  });

  it('name only scripts of npm that package.json has', () => {
    const named = documentNames().flatMap((name) =>
      [...textOf(name).matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script),
    );
    assert.ok(named.length > 10, `${named.length}`);
    for (const script of named) assert.ok(script in scripts, script);
  });

  it('hold every code block at the top level, where it is seen and run', () => {
    for (const name of documentNames()) {
      assert.equal(blocksOf(textOf(name)).length, countBlocks(textOf(name)), name);
    }
  });
});

describe('the Korean README', () => {
  it('has the code of the English one, in its order and with its results', () => {
    const [english, korean] = ['README.md', 'README.ko.md'].map((name) =>
      blocksOf(textOf(name))
        .filter(({ language }) => language !== '')
        .map(({ language, text, ...rest }) => {
          return {
            ...rest,
            title: '',
            code: language === 'js' ? programOf(text, '', []).code : text,
          };
        }),
    );
    assert.ok((english ?? []).length > 9);
    assert.deepEqual(korean, english);
  });

  it('has the code and the numbers of the English one in each row of a table', () => {
    const english = figuresOf(textOf('README.md'));
    const korean = figuresOf(textOf('README.ko.md'));
    assert.ok(korean.length > 4);
    for (const [at, rows] of korean.entries())
      assert.deepEqual(rows, english[at], `table ${at + 1}`);
  });

  it('has no command and no message that the English one lacks', () => {
    const english = blocksOf(textOf('README.md')).map(({ text }) => text);
    const indented = blocksOf(textOf('README.ko.md')).filter(({ language }) => language === '');
    assert.ok(indented.length > 4);
    for (const { text } of indented) assert.ok(english.includes(text), text);
  });
});

describe('a code block', () => {
  it('is run with what it says of its results, on the line or below it', () => {
    const text = 'const a = 1; // 1\n\n// Prose.\nf(a);\n// [\n//   2 ]\ng(); // Error: no\n';
    const { source, results } = programOf(text, 'const f = 0;', ['g']);
    assert.deepEqual(results, ['1', '[ 2 ]', 'Error: no']);
    assert.match(source, /^export default async \(\{ g, stated \}\) => \{\nconst f = 0;\n/m);
    for (const check of [
      'stated.gives(0, (a));',
      'stated.gives(1, (f(a)));',
      'await stated.fails(2, async () => (g()));',
    ]) {
      assert.ok(source.includes(check), source);
    }
  });

  it('is refused with a comment that is neither prose nor a result', () => {
    for (const text of [
      'const a = 1;\nif (a) {} // nothing\n',
      'f(\n  1, // the first\n);\n',
      "import a from 'a'; // the import\n",
    ]) {
      assert.throws(() => programOf(text, '', []), /^Error: neither prose nor a result: /);
    }
  });

  it('of commands is typed with the ports of a cluster, and has what each prints', () => {
    const text = '$ a -p 7100 | b\n:7101 and\n\n7102\n$ c\n$ d';
    assert.deepEqual(exchangesOf(text, [1, 2, 3]), [
      { command: 'a -p 1 | b', printed: ':2 and\n\n7102\n' },
      { command: 'c', printed: '' },
      { command: 'd', printed: '' },
    ]);
  });

  it('fails where it gives something else, and where it does not come to a result', async () => {
    const stated = new Stated(['[ 1, ... ]', 'TypeError: a...', '2']);
    stated.gives(0, [1, { b: 2 }]);
    assert.throws(() => stated.gives(0, [2, { b: 2 }]), { code: 'ERR_ASSERTION' });
    await stated.fails(1, () => Promise.reject(new TypeError('a is no b')));
    await assert.rejects(
      stated.fails(1, async () => 'TypeError'),
      { code: 'ERR_ASSERTION' },
    );
    assert.throws(() => stated.checkAllSeen(), { code: 'ERR_ASSERTION' });
    stated.prints(2, [2]);
    stated.checkAllSeen();
  });
});
