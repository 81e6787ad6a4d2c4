/**
 * The chunks of a body until the signal is aborted, with whose reason it breaks then: also while nothing comes, as after a
 * line is dead that nobody has closed.
 */
export function untilOver(body: AsyncIterable<Buffer>, over: AbortSignal): AsyncIterable<Buffer> {
  const arriving = body[Symbol.asyncIterator]();
  const next = () => {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Buffer>>();
    const stop = () => reject(over.reason);
    if (over.aborted) stop();
    over.addEventListener('abort', stop, { once: true });
    if (!over.aborted) arriving.next().then(resolve, reject);
    return promise.finally(() => over.removeEventListener('abort', stop));
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        // Ends once what is waited for has come: nobody waits for that here.
        arriving.return?.().catch(() => undefined);
        return { done: true, value: undefined };
      },
    }),
  };
}
