import type { Logger } from 'pino';
import type { Database } from '../../shared/db/database.ts';
import type { Settings } from '../../shared/platform/settings/settings.ts';
import { type LimitStore, tableStore } from './limit-stores.ts';

/** Redis, where the settings name one (its client is loaded only then), otherwise a table. */
export async function openLimitStore(
  { redisUrl }: Pick<Settings, 'redisUrl'>,
  database: Database,
  log: Logger,
): Promise<LimitStore> {
  if (!redisUrl) return tableStore(database);
  const { redisStore } = await import('./limit-store-redis.ts');
  return redisStore(redisUrl, log);
}
