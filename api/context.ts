import type { Logger } from 'pino';
import type { Database } from '../shared/db/database.ts';
import type { Settings } from '../shared/settings.ts';
import type { Limits } from './http/limits.ts';
import type { Lookups } from './http/lookups.ts';
import type { Metrics } from './http/metrics.ts';
import type { TimeLimits } from './http/time-limits.ts';
import type { Versions } from './http/versions.ts';

/** What every part of the API process shares; made once in main.ts, or by a test. */
export type ApiContext = {
  database: Database;
  settings: Settings;
  log: Logger;
  versions: Versions;
  limits: Limits;
  lookups: Lookups;
  metrics: Metrics;
  time_limits: TimeLimits;
  /** The process clock. */
  now: () => Date;
};
