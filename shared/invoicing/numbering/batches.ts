type Waiting = PromiseWithResolvers<string> & { take: (count: number) => Promise<string[]> };

/** Of each pool of connections, who waits for what; a key is there while one of its batches is under way. */
const pools = new WeakMap<object, Map<string, Waiting[]>>();

/** The end of this turn of the event loop: whoever was answered in it has asked by then. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * What one of `take` answers. Those who ask for the same key meanwhile wait, and become one batch: the first of them
 * takes for all. Where that fails it alone is told, and the next one takes for the others.
 */
export function inBatches(pool: object, key: string, take: Waiting['take']): Promise<string> {
  const waiting: Waiting = { take, ...Promise.withResolvers<string>() };
  const queues = pools.get(pool) ?? new Map<string, Waiting[]>();
  pools.set(pool, queues);
  const queue = queues.get(key);
  if (queue) queue.push(waiting);
  else {
    queues.set(key, [waiting]);
    void serve(queues, key);
  }
  return waiting.promise;
}

async function serve(queues: Map<string, Waiting[]>, key: string): Promise<void> {
  for (;;) {
    await turn();
    const [first, ...others] = queues.get(key) ?? [];
    if (!first) break;
    queues.set(key, []);
    try {
      const taken = await first.take(1 + others.length);
      for (const [index, { resolve }] of [first, ...others].entries()) resolve(taken[index]!);
    } catch (error) {
      first.reject(error);
      queues.set(key, [...others, ...(queues.get(key) ?? [])]);
    }
  }
  queues.delete(key);
}
