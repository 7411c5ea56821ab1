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
    const step = source.next().then((result) => ({ source, result }));
    // It may fail while what came before is being consumed; the next race tells of it.
    step.catch(() => {});
    active.set(source, step);
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
    for (const source of active.keys()) source.return(undefined).catch(() => {});
  }
}

interface Step<T> {
  source: AsyncGenerator<T>;
  result: IteratorResult<T, unknown>;
}
