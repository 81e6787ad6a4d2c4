import { reasons } from '../../shared/platform/operators/reasons.ts';
import { TryLater } from './handler.ts';

/** A handler took longer than its job allows. */
export class TooLong extends TryLater {
  override name = 'TooLong';
}

/**
 * Runs a handler for at most `time_limit` milliseconds and no longer than the process may work. One that does not heed
 * its signal is left behind: it can commit nothing any more. Errors: those of `run`, `TooLong`, the reason of `stopping`.
 *
 * The signal is a controller's own and not `AbortSignal.any`: a combined one with a listener is kept until one of its
 * sources is aborted, so a process would keep one for every job that it ever did (1 kB each, measured with Node 26).
 */
export async function limited(
  time_limit: number,
  stopping: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  stopping.throwIfAborted();
  const limit = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown) => {
    reject(reason);
    limit.abort(reason);
  };
  const stop = () => giveUp(stopping.reason);
  const timer = setTimeout(() => giveUp(new TooLong(reasons.too_long(time_limit).en)), time_limit);
  stopping.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([run(limit.signal), aborted]);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}
