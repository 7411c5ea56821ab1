import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../scripts/run.mjs';
import { testNames } from '../../scripts/test-files.mjs';

describe('the list of examples', () => {
  const links = (folder: string) => {
    const text = readFileSync(join(root, 'examples/README.md'), 'utf8');
    const found = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    return found.filter((path) => join(path, '..') === folder).sort();
  };

  it('names every program', () => {
    const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs'));
    assert.deepEqual(links('.'), files.sort());
  });

  it('names every recipe, and each has a test', () => {
    const files = readdirSync(join(root, 'examples/recipes')).sort();
    assert.ok(files.length > 0);
    assert.deepEqual(
      links('recipes'),
      files.map((file) => `recipes/${file}`),
    );
    const tests = testNames('tests/recipes').filter((name) => name !== 'list');
    assert.deepEqual(
      tests,
      files.map((file) => file.replace('.ts', '')),
    );
  });
});
