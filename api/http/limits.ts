import { Failure } from '../../shared/kernel/failure.ts';

/** How much may be asked in a window of so many seconds. */
export type Quota = { name: string; limit: number; window_seconds: number };

/** What a bucket has left, and the seconds until it is full again. */
export type Allowance = { quota: Quota; remaining: number; reset_seconds: number };

export type Limits = {
  /** Takes one from the bucket. Errors: `rate_limited` with Retry-After. */
  take(bucket: string, quota: Quota, now: Date): Allowance;
};

type Bucket = { used: number; window: number };

/** Buckets of this process: fixed windows, forgotten when they end. */
export function processLimits(): Limits {
  const buckets = new Map<string, Bucket>();
  let swept = 0;

  function sweep(window: number): void {
    if (window === swept) return;
    swept = window;
    for (const [name, bucket] of buckets) if (bucket.window < window - 1) buckets.delete(name);
  }

  return {
    take(name, quota, now) {
      const seconds = now.getTime() / 1000;
      const window = Math.floor(seconds / quota.window_seconds);
      sweep(Math.floor(seconds / 3600));
      const key = `${quota.name} ${name}`;
      let bucket = buckets.get(key);
      if (!bucket || bucket.window !== window) {
        bucket = { used: 0, window };
        buckets.set(key, bucket);
      }
      const reset_seconds = Math.ceil((window + 1) * quota.window_seconds - seconds);
      if (bucket.used >= quota.limit) throw exhausted({ quota, remaining: 0, reset_seconds });
      bucket.used++;
      return { quota, remaining: quota.limit - bucket.used, reset_seconds };
    },
  };
}

/** The RateLimit headers, by the IETF draft "RateLimit header fields for HTTP". */
export function limitHeaders({ quota, remaining, reset_seconds }: Allowance): Record<string, string> {
  return {
    'RateLimit-Policy': `"${quota.name}";q=${quota.limit};w=${quota.window_seconds}`,
    RateLimit: `"${quota.name}";r=${remaining};t=${reset_seconds}`,
  };
}

function exhausted(allowance: Allowance): Failure {
  const { quota, reset_seconds } = allowance;
  return new Failure('rate_limited', {
    detail: `The limit is ${quota.limit} requests in ${quota.window_seconds} seconds; try again in ${reset_seconds} s`,
    headers: { ...limitHeaders(allowance), 'Retry-After': String(reset_seconds) },
  });
}
