import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { LimitStore } from './limit-stores.ts';

/** The counts in Redis; its keys end with their windows. */
export function redisStore(url: string, log: Logger): LimitStore {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
  });
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway)
      log.warn({ err: error }, 'Redis is unavailable: each process limits requests by its own count');
    isAway = true;
  });
  redis.on('ready', () => {
    isAway = false;
  });
  return {
    async settle(uses) {
      const pipeline = redis.pipeline();
      for (const { key, window_ends_at, count } of uses) {
        pipeline.incrby(`limit:${key}:${window_ends_at}`, count);
        pipeline.pexpireat(`limit:${key}:${window_ends_at}`, window_ends_at);
      }
      const replies = (await pipeline.exec()) ?? [];
      return new Map(
        uses.map(({ key }, index) => {
          const [error, total] = replies[index * 2] ?? [new Error('No reply'), 0];
          if (error) throw error;
          return [key, Number(total)];
        }),
      );
    },
    async end() {
      redis.disconnect();
    },
  };
}
