import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the module uses beyond the first WebAssembly; see `.cargo/config.toml`. */
const FEATURES = [
  '--enable-bulk-memory',
  '--enable-mutable-globals',
  '--enable-nontrapping-float-to-int',
  '--enable-sign-ext',
];

/** Passes that write those features in the first WebAssembly, which is what wasm2js reads. */
const LOWERING = [
  '--llvm-memory-copy-fill-lowering',
  '--llvm-nontrapping-fptoint-lowering',
  '--signext-lowering',
];

const DECLARATIONS = `/** Starts an instance; \`detach\` is called with each buffer that growing replaces. */
export function instantiate(
  imports: WebAssembly.Imports,
  detach: (buffer: ArrayBuffer) => void,
): WebAssembly.Exports;
`;

/**
 * Translates a module to JavaScript by binaryen's wasm2js: `<target>.js` with its declarations,
 * one function that starts as many instances as are wanted.
 *
 * @param {string} module
 * @param {string} target without its ending
 * @param {(command: string, args: string[]) => void} run
 */
export function translate(module, target, run) {
  const dir = mkdtempSync(join(tmpdir(), 'redslot-translate-'));
  try {
    const [lowered, translated] = [join(dir, 'lowered.wasm'), join(dir, 'translated.js')];
    run('wasm-opt', [module, ...FEATURES, ...LOWERING, '-o', lowered]);
    run('wasm2js', [lowered, ...FEATURES, '-O3', '-o', translated]);
    writeFileSync(`${target}.js`, asFunction(readFileSync(translated, 'utf8')));
    writeFileSync(`${target}.d.ts`, DECLARATIONS);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * wasm2js gives a module that imports, starts one instance and exports its members; this makes it a
 * function of what is imported. Its memory grows into a new buffer and leaves the old one usable,
 * it takes growth beyond 4 GiB for done, and throws where there is no room for the new buffer;
 * WebAssembly's gives -1 in both cases, and detaches.
 *
 * @param {string} text
 */
function asFunction(text) {
  const changes = [
    [/^import \* as \S+ from '\S+';$/m, ''],
    ['function asmFunc(imports) {', 'export function instantiate(imports, detach) {'],
    [/^var retasmFunc = [\s\S]*/m, ''],
    [
      'if ((oldPages < newPages) && (newPages < 65536)) {',
      'if (newPages < oldPages || newPages > 65535) return -1;\n  {',
    ],
    [
      'var newBuffer = new ArrayBuffer(newPages << 16);',
      'var newBuffer;\n   try { newBuffer = new ArrayBuffer(newPages << 16); } catch { return -1; }',
    ],
    ['buffer = newBuffer;', 'detach(buffer);\n   buffer = newBuffer;'],
  ];
  return changes.reduce((rest, [from = '', to = '']) => replaceOnce(rest, from, String(to)), text);
}

/**
 * @param {string} text
 * @param {string | RegExp} from
 * @param {string} to
 */
function replaceOnce(text, from, to) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`wasm2js wrote ${parts.length - 1} times ${from}`);
  return parts.join(to);
}
