import { computed } from '@preact/signals';
import { explainKey } from 'redslot-wasm';
import { unescaped, utf8 } from '../bytes';
import { fields } from './fields';

/** The key of the panel Key. */
export const key = computed(() =>
  fields.escapes.value ? unescaped(fields.key.value) : fields.key.value,
);

export const keyBytes = computed(() =>
  typeof key.value === 'string' ? utf8(key.value) : key.value,
);

export const keyExplanation = computed(() => explainKey(key.value));
