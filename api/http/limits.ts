import { hash } from 'node:crypto';
import { Failure } from '../../shared/kernel/failure.ts';
import type { LimitStore, Use } from './limit-stores.ts';

/** How much may be asked in a window of so many seconds. */
export type Quota = { name: string; limit: number; window_seconds: number };

/** What a bucket has left, and the seconds until it is full again. */
export type Allowance = { quota: Quota; remaining: number; reset_seconds: number };

export type Limits = {
  /** Takes one from the bucket. Errors: `rate_limited` with Retry-After. */
  take(bucket: string, quota: Quota, now: Date): Allowance;
  /** Looks without taking. Errors: `rate_limited` where nothing is left. */
  refuseExhausted(bucket: string, quota: Quota, now: Date): void;
  /** Tells the other processes at once what was taken, and waits for their answer. */
  settled(): Promise<void>;
  /** Ends the settling with other processes. */
  end(): Promise<void>;
};

/** `settled` is what all processes had taken when they were asked last; `sending` and `unsent` are this one's since. */
type Bucket = { key: string; window_ends_at: number; settled: number; sending: number; unsent: number };

/** Milliseconds between two settlements: what one process gives out, the others know within a second. */
const PAUSE = 300;

/**
 * Buckets in fixed windows. Requests are counted in the process, without a query; what was taken is settled with the
 * other processes through the store a few times a second. While the store is away each process counts for itself.
 */
export function limitsOf(store: LimitStore | null): Limits {
  const buckets = new Map<string, Bucket>();
  const waiting = new Set<Bucket>();
  let timer: NodeJS.Timeout | undefined;
  let settling = Promise.resolve();
  let swept = 0;

  function bucketOf(name: string, quota: Quota, now: Date): Bucket {
    const length = quota.window_seconds * 1000;
    const window_ends_at = (Math.floor(now.getTime() / length) + 1) * length;
    forgetEnded(now.getTime());
    const id = `${quota.name} ${name}`;
    const known = buckets.get(id);
    if (known?.window_ends_at === window_ends_at) return known;
    const key = hash('sha256', id, 'base64url');
    const bucket = { key, window_ends_at, settled: 0, sending: 0, unsent: 0 };
    buckets.set(id, bucket);
    return bucket;
  }

  function forgetEnded(now: number): void {
    if (now - swept < 10_000) return;
    swept = now;
    for (const [id, bucket] of buckets) if (bucket.window_ends_at <= now) buckets.delete(id);
  }

  function settleSoon(bucket: Bucket): void {
    if (!store) return;
    waiting.add(bucket);
    timer ??= setTimeout(settleNow, PAUSE).unref();
  }

  function settleNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (store && waiting.size > 0) settling = settling.then(() => settle(store));
    return settling;
  }

  async function settle(through: LimitStore): Promise<void> {
    const batch = [...waiting];
    waiting.clear();
    for (const bucket of batch) {
      bucket.sending += bucket.unsent;
      bucket.unsent = 0;
    }
    const uses = batch.map(
      ({ key, window_ends_at, sending }): Use => ({ key, window_ends_at, count: sending }),
    );
    try {
      const totals = await through.settle(uses);
      for (const [index, bucket] of batch.entries()) {
        bucket.settled = totals.get(uses[index]!.key) ?? bucket.settled + bucket.sending;
        bucket.sending = 0;
      }
    } catch {
      // Away: what was taken is told at the next request after it is back, and counts here meanwhile.
      for (const bucket of batch) {
        bucket.unsent += bucket.sending;
        bucket.sending = 0;
      }
    }
  }

  function allowance(bucket: Bucket, quota: Quota, now: Date): Allowance {
    const remaining = Math.max(0, quota.limit - bucket.settled - bucket.sending - bucket.unsent);
    return { quota, remaining, reset_seconds: Math.ceil((bucket.window_ends_at - now.getTime()) / 1000) };
  }

  return {
    take(name, quota, now) {
      const bucket = bucketOf(name, quota, now);
      const before = allowance(bucket, quota, now);
      if (before.remaining === 0) throw exhausted(before);
      bucket.unsent++;
      settleSoon(bucket);
      return { ...before, remaining: before.remaining - 1 };
    },
    refuseExhausted(name, quota, now) {
      const left = allowance(bucketOf(name, quota, now), quota, now);
      if (left.remaining === 0) throw exhausted(left);
    },
    settled: settleNow,
    async end() {
      await settleNow();
      await store?.end();
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

function exhausted(left: Allowance): Failure {
  const { quota, reset_seconds } = left;
  return new Failure('rate_limited', {
    detail: `The limit is ${quota.limit} requests in ${quota.window_seconds} seconds; try again in ${reset_seconds} s`,
    headers: { ...limitHeaders(left), 'Retry-After': String(reset_seconds) },
  });
}
