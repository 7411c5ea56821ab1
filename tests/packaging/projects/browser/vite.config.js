export default {
  root: 'bundled',
  base: './',
  logLevel: 'warn',
  worker: { format: 'es' },
  build: {
    outDir: '../built',
    emptyOutDir: true,
    target: 'es2022',
    // A program needs one of the two entries that this page compares.
    chunkSizeWarningLimit: 700,
    // What is slow on a busy machine is no warning about the package.
    rollupOptions: { input: 'bundled/page.html', checks: { pluginTimings: false } },
  },
};
