import webpack from 'webpack';
import { run, settings } from './webpack-settings.mjs';

export function bundle(input, output, format) {
  // Minifying takes most of the time, and Rspack does it here too.
  const optimization = { minimize: false };
  return run(webpack({ ...settings(input, output, format), optimization }));
}
