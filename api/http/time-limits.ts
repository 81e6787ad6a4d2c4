import { Failure } from '../../shared/kernel/failure.ts';

/** Milliseconds that the parts of a request, and the end of the process, may take. */
export type TimeLimits = {
  /** For the header to arrive whole. */
  header: number;
  /** For the body to arrive whole; for a form with a file, between two pieces of it. */
  body: number;
  /** From the body to the answer. */
  handler: number;
  /** Without a byte of an answer being taken by who asked for it. */
  unread: number;
  /** For the rest of a body, where its answer came before it and ends the connection. */
  linger: number;
  /** For what is under way to be answered once the process is asked to end. */
  drain: number;
  /** Then, for a request over a connection that was made before and has brought none yet. */
  first_request: number;
  /** For a worker to make a file that a request waits for. */
  generating: number;
  /** Between two signs of life of a stream of events. */
  heartbeat: number;
  /** Between two looks at the credential of a stream of events. */
  proof: number;
  /** For an older request that adds to an upload to end, once another one wants its turn. */
  takeover: number;
  /** Before the operators' password is compared for an address that has guessed it too often. */
  guess: number;
};

export const timeLimits: TimeLimits = {
  header: 10_000,
  body: 60_000,
  handler: 30_000,
  unread: 60_000,
  linger: 10_000,
  drain: 15_000,
  first_request: 1_000,
  generating: 15_000,
  heartbeat: 15_000,
  proof: 30_000,
  takeover: 5_000,
  guess: 1_000,
};

/**
 * Answers what `run` does, unless it takes longer; then `signal` is aborted, and whatever holds to it stops.
 * Errors: `unavailable`.
 */
export async function withinTime<T>(
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = {
      en: `This took longer than ${milliseconds / 1000} s and was given up`,
      ja: `${milliseconds / 1000}秒以内に終わらなかったため、処理を中止しました`,
    };
    const failure = new Failure('unavailable', { detail, headers: { 'Retry-After': '1' } });
    late.abort(failure);
    reject(failure);
  }, milliseconds);
  try {
    return await Promise.race([run(late.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
