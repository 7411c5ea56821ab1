import { copyFileSync } from 'node:fs';
import { build } from 'esbuild';

// ioredis is CommonJS and requires modules of Node.js, which an ES module cannot.
const require = `import { createRequire } from 'node:module';
const require = createRequire('/');`;

await build({
  entryPoints: ['worker.mjs'],
  outdir: 'built',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['workerd'],
  // As wrangler does: the runtime compiles the module, from a file beside the worker.
  loader: { '.wasm': 'copy' },
  assetNames: '[name]',
  banner: { js: require },
});
copyFileSync('config.capnp', 'built/config.capnp');
