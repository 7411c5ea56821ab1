import { effect, type Signal, signal } from '@preact/signals';
import { fields, KEY_MODES, PANELS, RESHARD_STAGES } from './fields';
import { pack, unpack } from './packed';
import { language } from './settings';

/** Text up to this length stands in the link as it is. */
const READABLE = 120;
/** A link beyond this length is refused by too many programs to be of use. */
const LONGEST = 60_000;
const PAUSE_MS = 150;

/** Whether the view does not fit into a link. */
export const tooLong = signal(false);

const texts: Record<string, Signal<string>> = {
  key: fields.key,
  keys: fields.keys,
  topology: fields.topology,
  example: fields.example,
  pattern: fields.pattern,
  slot: fields.tagSlot,
  from: fields.reshardFrom,
  to: fields.reshardTo,
  target: fields.reshardTarget,
  moved: fields.moved,
};

const choices: Record<string, [Signal<string>, readonly string[]]> = {
  panel: [fields.panel as Signal<string>, PANELS],
  mode: [fields.keyMode as Signal<string>, KEY_MODES],
  stage: [fields.stage as Signal<string>, RESHARD_STAGES],
  lang: [language as Signal<string>, ['en', 'ko']],
};

const defaults = new Map(
  [
    ...Object.entries(texts),
    ...Object.entries(choices).map(([name, [field]]) => [name, field]),
  ].map(([name, field]) => [name as string, (field as Signal<string>).peek()]),
);

/** Takes the view from the link, then keeps the link in step with the view. */
export async function followLink(): Promise<void> {
  await read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = location.hash;
  addEventListener('hashchange', () => {
    if (location.hash !== written) void read();
  });
  effect(() => {
    const parts = snapshot();
    clearTimeout(timer);
    timer = setTimeout(async () => {
      written = await write(parts);
    }, PAUSE_MS);
  });
}

function snapshot(): [string, string][] {
  const parts: [string, string][] = [];
  for (const [name, [field]] of Object.entries(choices)) parts.push([name, field.value]);
  for (const [name, field] of Object.entries(texts)) parts.push([name, field.value]);
  parts.push(['escapes', fields.escapes.value ? '1' : '']);
  // The language is the reader's own unless the link says otherwise, so it is always said.
  return parts.filter(([name, value]) => name === 'lang' || value !== (defaults.get(name) ?? ''));
}

async function write(parts: [string, string][]): Promise<string> {
  const params: string[] = [];
  for (const [name, value] of parts) {
    const long = value.length > READABLE || /[\n\r]/.test(value);
    params.push(long ? `${name}.z=${await pack(value)}` : `${name}=${encodeURIComponent(value)}`);
  }
  const hash = `#${params.join('&')}`;
  tooLong.value = hash.length > LONGEST;
  if (!tooLong.value) history.replaceState(null, '', hash);
  return location.hash;
}

async function read(): Promise<void> {
  const given = new Map<string, string>();
  for (const part of location.hash.slice(1).split('&')) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    if (name.endsWith('.z')) given.set(name.slice(0, -2), (await unpack(value)) ?? '');
    else if (name !== '') given.set(name, decoded(value));
  }
  if (given.size === 0) return;
  for (const [name, field] of Object.entries(texts)) {
    field.value = given.get(name) ?? defaults.get(name) ?? '';
  }
  for (const [name, [field, allowed]] of Object.entries(choices)) {
    const value = given.get(name) ?? defaults.get(name) ?? '';
    if (allowed.includes(value)) field.value = value;
  }
  fields.escapes.value = given.get('escapes') === '1';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
