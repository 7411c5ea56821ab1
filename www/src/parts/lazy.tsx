import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

/** A component that is fetched when it is first shown, or ahead of that by `preload`. */
export interface Lazy extends FunctionComponent {
  preload(): void;
}

export function lazy(load: () => Promise<FunctionComponent>): Lazy {
  const loaded = signal<FunctionComponent | null>(null);
  const preload = () => {
    void load().then((component) => {
      loaded.value = component;
    });
  };
  const Shown = () => {
    const Component = loaded.value;
    if (Component === null) preload();
    return Component === null ? null : <Component />;
  };
  return Object.assign(Shown, { preload });
}
