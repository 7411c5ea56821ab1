import { build } from 'esbuild';

// ioredis is CommonJS and requires modules of Node.js, which an ES module cannot.
const require = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

export async function bundle(input, output, format) {
  const { warnings } = await build({
    entryPoints: [input],
    outfile: output,
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'silent',
    ...(format === 'esm' && { banner: { js: require } }),
  });
  return warnings.map(({ text, location }) => `${location?.file}: ${text}`);
}
