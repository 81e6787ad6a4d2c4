import { hash } from 'node:crypto';
import { Failure } from '../../shared/kernel/failure.ts';
import type { LimitStore, Use } from './limit-stores.ts';

/** How much may be asked in a window of so many seconds. */
export type Quota = { name: string; limit: number; window_seconds: number };

/** What a bucket has left, and the seconds until it is full again. */
export type Allowance = { quota: Quota; remaining: number; reset_seconds: number };

/** A bucket that a request is counted in, and its quota. */
export type Charge = { bucket: string; quota: Quota };

export type Limits = {
  /** Takes one from the bucket. Errors: `rate_limited` with Retry-After. */
  take(bucket: string, quota: Quota, now: Date): Allowance;
  /**
   * Takes one from each bucket, or from none where one of them is empty. Answers in the order of the charges.
   * Errors: `rate_limited` with the Retry-After of the bucket that is empty for the longest.
   */
  takeAll(charges: readonly Charge[], now: Date): Allowance[];
  /** How many the bucket has left. Takes none. */
  left(bucket: string, quota: Quota, now: Date): number;
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
      // The store is away: what was taken is settled at the next request after it is back, and counts here meanwhile.
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

  function takeAll(charges: readonly Charge[], now: Date): Allowance[] {
    const taken = charges.map((charge) => {
      const bucket = bucketOf(charge.bucket, charge.quota, now);
      return { bucket, before: allowance(bucket, charge.quota, now) };
    });
    const all = taken.map(({ before }) => before);
    if (all.some(({ remaining }) => remaining === 0)) throw exhausted(all);
    for (const { bucket } of taken) {
      bucket.unsent++;
      settleSoon(bucket);
    }
    return all.map((before) => ({ ...before, remaining: before.remaining - 1 }));
  }

  return {
    take: (bucket, quota, now) => takeAll([{ bucket, quota }], now)[0]!,
    takeAll,
    left: (bucket, quota, now) => allowance(bucketOf(bucket, quota, now), quota, now).remaining,
    settled: settleNow,
    async end() {
      await settleNow();
      await store?.end();
    },
  };
}

/**
 * The RateLimit headers, by the IETF draft "RateLimit header fields for HTTP": every limit that holds, and what is left
 * of the one that binds first.
 */
export function limitHeaders(allowances: readonly Allowance[]): Record<string, string> {
  const { quota, remaining, reset_seconds } = tightest(allowances);
  const policies = allowances.map(({ quota: { name, limit, window_seconds } }) => {
    return `"${name}";q=${limit};w=${window_seconds}`;
  });
  return {
    'RateLimit-Policy': policies.join(', '),
    RateLimit: `"${quota.name}";r=${remaining};t=${reset_seconds}`,
  };
}

/** The allowance with the least left; of several, the one that is full again last. */
function tightest(allowances: readonly Allowance[]): Allowance {
  const [first] = allowances.toSorted(
    (left, right) => left.remaining - right.remaining || right.reset_seconds - left.reset_seconds,
  );
  return first!;
}

function exhausted(allowances: readonly Allowance[]): Failure {
  const { quota, reset_seconds } = tightest(allowances);
  const whose = quota.name.replaceAll('_', ' ');
  return new Failure('rate_limited', {
    detail: {
      en: `The limit "${whose}" is ${quota.limit} requests in ${quota.window_seconds} seconds; try again in ${reset_seconds} s`,
      ja: `上限（${whose}）は${quota.window_seconds}秒間に${quota.limit}回です。${reset_seconds}秒後にもう一度お試しください`,
    },
    headers: { ...limitHeaders(allowances), 'Retry-After': String(reset_seconds) },
  });
}
