/**
 * Looks up by key, many at once: what is asked for in one turn of the event loop becomes one call of `load`. Each
 * answer is as fresh as its request, since a call takes only keys that were asked for before it.
 */
export function batched<Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  let waiting: Map<string, PromiseWithResolvers<Value | null>> | null = null;

  async function flush(asked: Map<string, PromiseWithResolvers<Value | null>>): Promise<void> {
    waiting = null;
    try {
      const found = await load([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }

  return (key) => {
    if (!waiting) {
      const asked = new Map<string, PromiseWithResolvers<Value | null>>();
      waiting = asked;
      setImmediate(() => flush(asked));
    }
    let answer = waiting.get(key);
    if (!answer) {
      answer = Promise.withResolvers();
      waiting.set(key, answer);
    }
    return answer.promise;
  };
}
