import Router from '@koa/router';
import { EVERY_ORGANIZATION } from '../shared/db/database.ts';
import { migrationStatus } from '../shared/db/migrate.ts';
import { queueNumbers } from '../shared/outbox/numbers.ts';
import type { ApiContext } from './context.ts';

/** For machines that watch the service: alive, ready to serve, its numbers. */
export function health(context: ApiContext): Router {
  const router = new Router({ sensitive: true });
  let migrated = false;

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const database = await answers(() =>
      context.database.withConnection(EVERY_ORGANIZATION, ({ query }) => query('SELECT 1')),
    );
    migrated ||= database && (await answers(() => requireMigrated(context.settings.databaseDirectUrl)));
    const queue = database && migrated && (await answers(() => requireMovingQueues(context)));
    const checks = { database, migrations: database && migrated, queue };
    // Workers that stand still are no reason to stop answering requests: their jobs wait in the outbox.
    ctx.status = checks.database && checks.migrations ? 200 : 503;
    ctx.body = { status: ctx.status === 200 ? 'ok' : 'unavailable', checks };
  });

  router.get('/metrics', async (ctx) => {
    ctx.set('Content-Type', context.metrics.registry.contentType);
    ctx.body = await context.metrics.registry.metrics();
  });

  return router;
}

async function requireMigrated(url: string): Promise<void> {
  const status = await migrationStatus(url);
  if (status.some(({ applied }) => !applied)) throw new Error('Migrations are waiting');
}

/** Seconds that a due job may wait to be handed over before the queues count as standing still. */
const MOST_LAG = 60;

async function requireMovingQueues({ database, now }: ApiContext): Promise<void> {
  const queues = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
    queueNumbers(connection, now()),
  );
  if (queues.some(({ lag_seconds }) => (lag_seconds ?? 0) > MOST_LAG))
    throw new Error('Jobs are not handed over');
}

async function answers(check: () => Promise<unknown>): Promise<boolean> {
  return check().then(
    () => true,
    () => false,
  );
}
