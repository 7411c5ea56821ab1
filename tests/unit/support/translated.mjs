/** Loaded ahead of the tests, gives them `redslot-wasm/js` where they import `redslot-wasm`. */
import { register } from 'node:module';

const hook = `
  export const resolve = (name, context, next) =>
    next(name === 'redslot-wasm' ? 'redslot-wasm/js' : name, context);
`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
