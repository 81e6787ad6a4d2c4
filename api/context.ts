import type { Logger } from 'pino';
import type { Database } from '../shared/db/database.ts';
import type { Release } from '../shared/kernel/version.ts';
import type { Scanner } from '../shared/platform/intake/scanner.ts';
import type { JobNotices } from '../shared/platform/jobs/notices.ts';
import type { OutsideServices } from '../shared/platform/outside/open.ts';
import type { Settings } from '../shared/platform/settings/settings.ts';
import type { LooseKeys } from '../shared/platform/storage/loose-keys.ts';
import type { Storage } from '../shared/platform/storage/storage.ts';
import type { Tallies } from '../shared/platform/tallies/tallies.ts';
import type { Lookups } from './http/credential-lookups.ts';
import type { RunningHashes } from './http/files/running-hashes.ts';
import type { StreamPlaces } from './http/files/stream-places.ts';
import type { Limits } from './http/limits.ts';
import type { Metrics } from './http/metrics.ts';
import type { TimeLimits } from './http/time-limits.ts';
import type { Versions } from './http/versions.ts';
import type { SurroundingsWatch } from './surroundings.ts';

/** What every part of the API process shares; made once in main.ts, or by a test. */
export type ApiContext = {
  database: Database;
  settings: Settings;
  storage: Storage;
  /** Keys for files that are about to be stored. */
  loose_keys: LooseKeys;
  /** What scans files from outside; null where nothing does. */
  scanner: Scanner | null;
  /** How services outside are called. */
  outside: OutsideServices;
  log: Logger;
  versions: Versions;
  limits: Limits;
  lookups: Lookups;
  metrics: Metrics;
  time_limits: TimeLimits;
  notices: JobNotices;
  stream_places: StreamPlaces;
  /** Of resumable uploads that this process takes. */
  running_hashes: RunningHashes;
  surroundings: SurroundingsWatch;
  /** What this process has counted and not written yet. */
  tallies: Tallies;
  release: Release;
  /** Aborted when the process is asked to end: who only waits is answered at once. */
  ending: AbortSignal;
  /** The process clock. */
  now: () => Date;
};
