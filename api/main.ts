import { setTimeout as pause } from 'node:timers/promises';
import { loadBuilder } from '../shared/db/connection.ts';
import { openDatabase } from '../shared/db/database.ts';
import { isThroughPooler, requireFitAddresses } from '../shared/db/pooler.ts';
import { domains } from '../shared/domains.ts';
import { openLog } from '../shared/kernel/log.ts';
import { serveUntilAsked } from '../shared/kernel/process-life.ts';
import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readRelease } from '../shared/kernel/version.ts';
import { openScanner } from '../shared/platform/intake/open-scanner.ts';
import { jobNotices } from '../shared/platform/jobs/notices.ts';
import { outsideServices } from '../shared/platform/outside/open.ts';
import { readSettings } from '../shared/platform/settings/settings.ts';
import { makeLooseFiles } from '../shared/platform/storage/loose-files.ts';
import { looseKeys } from '../shared/platform/storage/loose-keys.ts';
import { openStorage } from '../shared/platform/storage/open.ts';
import { talliesIn } from '../shared/platform/tallies/tallies.ts';
import { apiApp } from './app.ts';
import { loadAuth } from './auth/call-auth.ts';
import type { ApiContext } from './context.ts';
import { connectionLimits } from './http/connection-limit.ts';
import { lookupsIn } from './http/credential-lookups.ts';
import { runningHashes } from './http/files/running-hashes.ts';
import { streamPlaces } from './http/files/stream-places.ts';
import { limitsOf } from './http/limits.ts';
import { apiMetrics } from './http/metrics.ts';
import { openLimitStore } from './http/open-limit-store.ts';
import { timeLimits } from './http/time-limits.ts';
import { unreadableAnswer } from './http/unreadable-request.ts';
import { versionsOf } from './http/versions.ts';
import { serve } from './server.ts';
import { watchSurroundings } from './surroundings.ts';
import { versions } from './versions.ts';

/**
 * The API process, which the log names by `--name`: settings, database, listen; on SIGTERM, or when its parent is gone,
 * drain and end.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const { name } = programOptions(process.argv.slice(2), { name: { type: 'string', default: 'api' } });
  const { log, end: endLog } = openLog(name, settings.logLevel);
  const release = readRelease(settings);
  log.info(release, 'The API is starting');
  await requireFitAddresses(settings);
  const database = openDatabase({
    url: settings.databaseUrl,
    pool_size: settings.poolSize,
    connection_timeout: settings.poolTimeoutSeconds * 1_000,
    through_pooler: isThroughPooler(settings),
    application_name: 'business-operations-api',
  });
  const troubled = (error: Error) =>
    log.warn({ reason: error.message }, 'Lost the LISTEN connection; updates of jobs are delayed');
  const ending = new AbortController();
  const now = () => new Date();
  const storage = await openStorage(settings);
  const scanner = openScanner(settings);
  const surroundings = watchSurroundings({ database, storage, scanner, log, now });
  const context: ApiContext = {
    database,
    settings,
    storage,
    loose_keys: looseKeys((place, count) => makeLooseFiles(database, place, count)),
    scanner,
    outside: outsideServices(settings),
    log,
    versions: versionsOf(versions),
    limits: limitsOf(await openLimitStore(settings, database, log)),
    lookups: lookupsIn(database),
    metrics: apiMetrics({ database, surroundings, release }),
    time_limits: timeLimits,
    notices: jobNotices({ url: settings.databaseDirectUrl, troubled }),
    stream_places: streamPlaces(),
    running_hashes: runningHashes(),
    ending: ending.signal,
    surroundings,
    tallies: talliesIn(database, log),
    release,
    now,
  };
  surroundings.start();
  context.tallies.start();
  const { host, port } = settings;
  // Now and not with the first list and the first sign-in, which everybody else would wait for too.
  loadBuilder();
  await loadAuth();
  for (const { started } of domains) await started?.(settings, now(), log);
  const unreadable = unreadableAnswer(context);
  const connections = connectionLimits(settings.trustedProxies);
  const serving = await serve(apiApp(context).callback(), {
    host,
    port,
    limits: timeLimits,
    connections,
    unreadable,
  });
  let draining = false;
  const drain = async () => {
    if (draining) return;
    draining = true;
    log.info('The API is draining');
    ending.abort();
    surroundings.end();
    await serving.drain();
    // What was not answered in time holds its connection still, and is to go with the process.
    const ended = Promise.all([context.limits.end(), context.tallies.end()]).then(() => database.end());
    await Promise.race([ended, pause(1_000)]);
    await endLog();
    process.exit(0);
  };
  serveUntilAsked(drain);
  // Last: who reads it may ask the process to end at once.
  log.info({ port: serving.port }, 'The API is listening');
}

main().catch((error) => {
  process.stderr.write(`${error instanceof StartupError ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
});
