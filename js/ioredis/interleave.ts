/**
 * What several generators give, as it comes, `width` of them at a time. Leaving
 * early ends those that are under way.
 */
export async function* interleave<T>(
  sources: readonly AsyncGenerator<T>[],
  width: number,
): AsyncGenerator<T> {
  const waiting = [...sources];
  const active = new Map<AsyncGenerator<T>, Promise<Step<T>>>();
  const advance = (source: AsyncGenerator<T>) => {
    active.set(
      source,
      source.next().then((result) => ({ source, result })),
    );
  };
  try {
    for (const source of waiting.splice(0, width)) advance(source);
    while (active.size > 0) {
      const { source, result } = await Promise.race(active.values());
      active.delete(source);
      const following = result.done ? waiting.shift() : source;
      if (following) advance(following);
      if (!result.done) yield result.value;
    }
  } finally {
    for (const [source, step] of active) {
      step.catch(() => {});
      source.return(undefined).catch(() => {});
    }
  }
}

interface Step<T> {
  source: AsyncGenerator<T>;
  result: IteratorResult<T, unknown>;
}
