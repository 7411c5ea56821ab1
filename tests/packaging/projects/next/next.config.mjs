const { EXTERNAL } = process.env;

export default {
  output: 'standalone',
  distDir: EXTERNAL ? '.next-external' : '.next',
  serverExternalPackages: EXTERNAL ? ['ioredis', 'redslot-wasm'] : [],
};
