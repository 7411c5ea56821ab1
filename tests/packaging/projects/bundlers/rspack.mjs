import { rspack } from '@rspack/core';
import { run, settings } from './webpack-settings.mjs';

export const bundle = (input, output, format) => run(rspack(settings(input, output, format)));
