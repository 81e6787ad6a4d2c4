import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { apiApp } from '../../api/app.ts';
import type { ApiContext } from '../../api/context.ts';
import { type ConnectionLimits, connectionLimits } from '../../api/http/connection-limit.ts';
import { lookupsIn } from '../../api/http/credential-lookups.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { runningHashes } from '../../api/http/files/running-hashes.ts';
import { type StreamLimits, streamPlaces } from '../../api/http/files/stream-places.ts';
import { tableStore } from '../../api/http/limit-stores.ts';
import { limitsOf } from '../../api/http/limits.ts';
import { apiMetrics } from '../../api/http/metrics.ts';
import { type TimeLimits, timeLimits } from '../../api/http/time-limits.ts';
import { unreadableAnswer } from '../../api/http/unreadable-request.ts';
import { type Version, versionsOf } from '../../api/http/versions.ts';
import { serve } from '../../api/server.ts';
import { watchSurroundings } from '../../api/surroundings.ts';
import { versions } from '../../api/versions.ts';
import { readRelease } from '../../shared/kernel/version.ts';
import { openScanner } from '../../shared/platform/intake/open-scanner.ts';
import { jobNotices } from '../../shared/platform/jobs/notices.ts';
import { outsideServices } from '../../shared/platform/outside/open.ts';
import { type Environment, readSettings } from '../../shared/platform/settings/settings.ts';
import { makeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { looseKeys } from '../../shared/platform/storage/loose-keys.ts';
import { openStorage } from '../../shared/platform/storage/open.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { talliesIn } from '../../shared/platform/tallies/tallies.ts';
import { newActor, type TestActor } from './actors.ts';
import { type Client, clientOf } from './client.ts';
import { freshDatabase, type TestDatabase } from './database.ts';

export type TestApp = {
  base_url: string;
  server: Server;
  context: ApiContext;
  database: TestDatabase['database'];
  database_url: string;
  /** A client with the key of a new member; of a new organization unless one is named. */
  actor(options?: Parameters<typeof newActor>[1]): Promise<Client & { actor: TestActor }>;
  /** A client that sends no credentials. */
  anonymous: Client;
};

export type AppOptions = {
  environment?: Environment;
  endpoints?: readonly Endpoint[];
  versions?: readonly Version[];
  now?: () => Date;
  /** Shorter than those of the service, for what is about them. */
  time_limits?: Partial<TimeLimits>;
  /** Fewer connections than the service takes, for what is about them. */
  connections?: Partial<ConnectionLimits>;
  /** Fewer streams than the service allows, for what is about their limits. */
  stream_limits?: StreamLimits;
  /** A store of one's own, for what is about stores that fail. */
  storage?: Storage;
  /** A database to share with another app; a fresh one when absent. */
  database?: TestDatabase;
};

/** A busy machine may take longer over what is right: these limits are for tests of their own. */
const patience = { header: 60_000, handler: 120_000, generating: 90_000, takeover: 60_000 };

/** The API on a port of its own and a database of its own; both end with the test file. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const own = options.database ?? (await freshDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'app-'));
  const settings = readSettings({
    DATABASE_URL: own.url,
    AUTH_SECRET: 'a secret of the tests, long enough',
    RATE_LIMIT_PER_MINUTE: '0',
    DATA_DIR: folder,
    // Nobody is there: tests have a fake of their own, and none calls Slack itself.
    SLACK_URL: 'http://127.0.0.1:9',
    ...options.environment,
  });
  const ending = new AbortController();
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const storage = options.storage ?? (await openStorage(settings));
  const now = options.now ?? (() => new Date());
  const scanner = openScanner(settings);
  const surroundings = watchSurroundings({ database: own.database, storage, scanner, log, now });
  const release = readRelease(settings);
  const context: ApiContext = {
    database: own.database,
    settings,
    storage,
    // Tests count what is left, so none is made before it is needed.
    loose_keys: looseKeys((place, count) => makeLooseFiles(own.database, place, count), Infinity),
    outside: outsideServices(settings),
    log,
    surroundings,
    // Written when a test asks for it.
    tallies: talliesIn(own.database, log),
    release,
    now,
    scanner,
    versions: versionsOf(options.versions ?? versions),
    limits: limitsOf(tableStore(own.database)),
    lookups: lookupsIn(own.database),
    metrics: apiMetrics({ database: own.database, surroundings, release }),
    time_limits: { ...timeLimits, ...patience, ...options.time_limits },
    notices: jobNotices({ url: own.url, troubled: () => undefined }),
    stream_places: streamPlaces(options.stream_limits),
    running_hashes: runningHashes(),
    ending: ending.signal,
  };
  const serving = await serve(apiApp(context, options.endpoints).callback(), {
    host: '127.0.0.1',
    port: 0,
    limits: context.time_limits,
    connections: { ...connectionLimits(settings.trustedProxies), ...options.connections },
    unreadable: unreadableAnswer(context),
  });
  const base_url = `http://127.0.0.1:${serving.port}`;
  settings.baseUrl = options.environment?.BASE_URL ?? base_url;
  after(async () => {
    ending.abort();
    await serving.end();
    await context.notices.end();
    // Workers of the same file may still write there: they are ended by a later hook.
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    await context.limits.end();
    if (!options.database) await own.drop();
  });
  return {
    base_url,
    server: serving.server,
    context,
    database: own.database,
    database_url: own.url,
    async actor(choice) {
      const actor = await newActor(own.database, choice);
      return { ...clientOf(base_url, { Authorization: `Bearer ${actor.secret}` }), actor };
    },
    anonymous: clientOf(base_url, {}),
  };
}
