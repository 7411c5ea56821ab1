import { basename, dirname, resolve } from 'node:path';

/** What webpack and Rspack both take. */
export function settings(input, output, format) {
  return {
    mode: 'production',
    target: 'node20',
    entry: resolve(input),
    output: {
      path: dirname(output),
      filename: basename(output),
      ...(format === 'esm' && { module: true, chunkFormat: 'module' }),
    },
    experiments: { outputModule: format === 'esm' },
  };
}

/** Runs a compiler of either, and gives its warnings. */
export async function run(compiler) {
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats)));
  });
  await new Promise((resolve) => compiler.close(resolve));
  const { warnings, errors } = stats.toJson({ all: false, warnings: true, errors: true });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return warnings.map(({ moduleName, message }) => `${moduleName}: ${message}`);
}
