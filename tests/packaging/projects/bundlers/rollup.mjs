import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

export async function bundle(input, output, format) {
  const warnings = [];
  const bundled = await rollup({
    input,
    plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), json()],
    onwarn: ({ message }) => warnings.push(message),
  });
  await bundled.write({ file: output, format });
  return warnings;
}
