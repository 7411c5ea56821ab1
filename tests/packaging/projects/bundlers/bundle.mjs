/** Bundles a program: `node bundle.mjs <bundler> <input> <output> esm|cjs` prints the warnings. */
const [bundler, input, output, format] = process.argv.slice(2);
const { bundle } = await import(`./${bundler}.mjs`);
console.log(JSON.stringify(await bundle(input, output, format)));
