import { once } from 'node:events';
import { createServer } from 'node:http';
import pino from 'pino';
import { openDatabase } from '../shared/db/database.ts';
import { Refusal } from '../shared/refusal.ts';
import { readSettings } from '../shared/settings.ts';
import { apiApp } from './app.ts';
import type { ApiContext } from './context.ts';
import { redisStore, tableStore } from './http/limit-stores.ts';
import { limitsOf } from './http/limits.ts';
import { apiMetrics } from './http/metrics.ts';
import { versionsOf } from './http/versions.ts';
import { versions } from './versions.ts';

/** The API process: settings, database, listen; on SIGTERM, or when its parent is gone, drain and end. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = pino({ level: settings.logLevel, base: { process: 'api' } });
  const database = openDatabase({
    url: settings.databaseUrl,
    pool_size: settings.poolSize,
    application_name: 'business-operations-api',
  });
  const context: ApiContext = {
    database,
    settings,
    log,
    versions: versionsOf(versions),
    limits: limitsOf(settings.redisUrl ? redisStore(settings.redisUrl, log) : tableStore(database)),
    metrics: apiMetrics(database),
    now: () => new Date(),
  };
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
    },
    apiApp(context).callback(),
  );
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  log.info({ port: settings.port }, 'The API is listening');
  process.send?.({ ready: true });

  let draining = false;
  const drain = async () => {
    if (draining) return;
    draining = true;
    log.info('The API is draining');
    server.close();
    server.closeIdleConnections();
    await Promise.race([
      once(server, 'close'),
      new Promise((resolve) => setTimeout(resolve, 15_000).unref()),
    ]);
    await context.limits.end();
    await database.end();
    process.exit(0);
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
  process.on('disconnect', drain);
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Refusal ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
});
