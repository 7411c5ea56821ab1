import { basename, dirname } from 'node:path';
import { build, createLogger } from 'vite';

export async function bundle(input, output, format) {
  const warnings = [];
  const warn = (message) => warnings.push(message);
  await build({
    configFile: false,
    logLevel: 'warn',
    customLogger: { ...createLogger('warn'), warn, warnOnce: warn },
    ssr: { noExternal: true },
    build: {
      ssr: input,
      outDir: dirname(output),
      target: 'node20',
      rollupOptions: {
        // What is slow on a busy machine is no warning about the package.
        checks: { pluginTimings: false },
        output: { format, entryFileNames: basename(output) },
      },
    },
  });
  return warnings;
}
