import { signal } from '@preact/signals';

export const PANELS = ['key', 'keys', 'topology', 'pattern', 'tag', 'reshard'] as const;
export type Panel = (typeof PANELS)[number];

export const KEY_MODES = ['auto', 'keys', 'commands'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

export const RESHARD_STAGES = ['stable', 'migrating', 'finished'] as const;
export type ReshardStage = (typeof RESHARD_STAGES)[number];

/** All that the user has typed or chosen; everything else on the page follows from it. */
export const fields = {
  panel: signal<Panel>('key'),
  key: signal('user:{1000}.following'),
  escapes: signal(false),
  keys: signal(''),
  keyMode: signal<KeyMode>('auto'),
  /** A pasted topology; used while `example` is empty. */
  topology: signal(''),
  example: signal('three'),
  pattern: signal('user:{1000}.*'),
  tagSlot: signal('5061'),
  reshardFrom: signal('0'),
  reshardTo: signal('1365'),
  /** Endpoint or id of the primary that gets the range. */
  reshardTarget: signal(''),
  stage: signal<ReshardStage>('stable'),
  /** How much of the moving keys has moved, in percent. */
  moved: signal('50'),
};
