import { appendFileSync, chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { inline } from './inline.mjs';

/** @typedef {import('esbuild').Plugin} Plugin */

/** One entry per export; each imports the main one rather than containing it. */
const ENTRIES = ['index', 'ioredis/index', 'cluster-key-slot'];

/** The program that `package.json` names as `bin`. */
const COMMAND_LINE = 'command-line/main';

/**
 * What is bundled, by the file of `js/module/` that the compiled module comes from. The entry `js`
 * contains all of the main one, since it has an instance of its own.
 *
 * @type {{ dir: string, format: 'esm' | 'cjs', module: string, entries: string[] }[]}
 */
const BUNDLES = [
  { dir: 'esm', format: 'esm', module: 'inlined', entries: [...ENTRIES, COMMAND_LINE] },
  { dir: 'cjs', format: 'cjs', module: 'inlined', entries: ENTRIES },
  { dir: 'workerd', format: 'esm', module: 'imported', entries: ENTRIES },
  { dir: 'esm', format: 'esm', module: 'translated', entries: ['js'] },
  { dir: 'cjs', format: 'cjs', module: 'translated', entries: ['js'] },
];

/** All entries that can be imported, as `package.json` names them. */
export const allEntries = [...new Set(BUNDLES.flatMap((bundle) => bundle.entries))].filter(
  (entry) => entry !== COMMAND_LINE,
);

/**
 * Bundles `js/` into `dist/`.
 * @param {string} root
 */
export async function bundle(root) {
  for (const { dir, format, module, entries } of BUNDLES) {
    const outdir = join(root, 'dist', dir);
    const shares = entries.includes('index');
    await esbuild({
      absWorkingDir: root,
      entryPoints: entries.map((entry) => ({ in: `js/${entry}.ts`, out: entry })),
      outdir,
      format,
      bundle: true,
      platform: 'neutral',
      target: 'es2022',
      // Nobody reads translated code, and without names and blanks it is a third as long.
      minify: module === 'translated',
      external: ['ioredis', 'iovalkey', 'node:*'],
      // The glue of wasm-bindgen makes an encoder at import.
      inject: ['js/codecs.ts'],
      plugins: [
        ...(shares ? [mainEntryStaysOutside(root)] : []),
        commandLists,
        moduleFrom(module),
        inlinedModule,
        importedModule,
        noDocComments,
      ],
      legalComments: 'none',
      logLevel: 'warning',
    });
    if (shares && format === 'cjs') exportDefault(join(outdir, 'cluster-key-slot.js'));
    const type = format === 'esm' ? 'module' : 'commonjs';
    // esbuild asks the nearest package.json about side effects, not that of the package.
    const nearest = { type, sideEffects: false };
    writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(nearest)}\n`);
  }
  chmodSync(join(root, 'dist', 'esm', `${COMMAND_LINE}.js`), 0o755);
  copyFileSync(join(root, 'pkg', 'redslot.wasm'), join(root, 'dist', 'redslot.wasm'));
}

/**
 * Makes the default export what `require` gives, as it is in the package of that name.
 * @param {string} path
 */
function exportDefault(path) {
  appendFileSync(path, 'module.exports = module.exports.default;\n');
}

/**
 * Leaves imports of the main entry in place, so that all entries share its one instance.
 * @type {(root: string) => Plugin}
 */
const mainEntryStaysOutside = (root) => ({
  name: 'main-entry-stays-outside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.\.?\/index\.js$/ }, ({ path, resolveDir }) => {
      const main = join(resolveDir, path) === join(root, 'js', 'index.js');
      return main ? { path, external: true } : undefined;
    });
  },
});

/** Arguments among which every command with keys beyond its first argument finds one more. */
const MANY_KEYS = 'k 1 2 STORE STREAMS 5 STORE 7 STOREDIST KEYS 10'.split(' ');

/**
 * Gives two lists out of the command table that ioredis itself uses, without the table: the
 * commands that change nothing, and those whose first argument is their only key.
 * @type {Plugin}
 */
const commandLists = {
  name: 'command-lists',
  setup(esbuild) {
    const filter = /^virtual:command-lists$/;
    esbuild.onResolve({ filter }, ({ path }) => ({ path, namespace: 'virtual' }));
    esbuild.onLoad({ filter, namespace: 'virtual' }, async () => {
      const { getKeyIndexes, hasFlag, list } = await import('@ioredis/commands');
      const readOnly = list.filter((name) => hasFlag(name, 'readonly'));
      const firstKey = list.filter((name) => String(getKeyIndexes(name, MANY_KEYS)) === '0');
      return { contents: JSON.stringify({ readOnly, firstKey }), loader: 'json' };
    });
  },
};

/** @type {Plugin} */
const inlinedModule = {
  name: 'inlined-module',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: JSON.stringify(inline(readFileSync(path))),
      loader: 'json',
    }));
  },
};

/**
 * Takes the compiled module from another file than the one that the source names.
 * @type {(name: string) => Plugin}
 */
const moduleFrom = (name) => ({
  name: 'module-from',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/module\/inlined\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path, '..', `${name}.ts`),
    }));
  },
});

/**
 * Leaves the import of the module itself to the runtime.
 * @type {Plugin}
 */
const importedModule = {
  name: 'imported-module',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\.wasm\?module$/ }, () => ({
      path: '../redslot.wasm',
      external: true,
    }));
  },
};

/**
 * Leaves out the doc comments of class members, which esbuild keeps. They are in the declarations.
 * @type {Plugin}
 */
const noDocComments = {
  name: 'no-doc-comments',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]js[\\/].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
      return { contents, loader: 'ts' };
    });
  },
};
