import Router from '@koa/router';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../shared/db/database.ts';
import { migrationStatus } from '../shared/db/migrate.ts';
import { Failure } from '../shared/kernel/failure.ts';
import { readOnceIn } from '../shared/platform/operators/read-once.ts';
import { watcherCheck } from '../shared/platform/operators/watchers.ts';
import { queueNumbers } from '../shared/platform/outbox/numbers.ts';
import type { ApiContext } from './context.ts';

/** Milliseconds for which one answer serves: whoever asks often costs the service no more than one a second. */
const FRESH = 1_000;

/** For machines that watch the service: alive, ready to serve, its numbers. */
export function health(context: ApiContext): Router {
  const router = new Router({ sensitive: true });
  const { registry } = context.metrics;
  const readiness = readOnceIn(FRESH, readinessOf(context));
  const numbers = readOnceIn(FRESH, () => registry.metrics());
  const check = watcherCheck(context.settings);
  const isWatcher = ({ req, headers, ip }: Context) =>
    check({ socket_address: req.socket.remoteAddress ?? '', client_address: ip, headers });

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const found = await readiness();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = found.status === 'ok' ? 200 : 503;
    ctx.body = isWatcher(ctx) ? found : { status: found.status };
  });

  router.get('/metrics', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    if (!isWatcher(ctx)) throw new Failure('missing_credentials', WATCHERS_ONLY);
    ctx.set('Content-Type', registry.contentType);
    ctx.body = await numbers();
  });

  return router;
}

const WATCHERS_ONLY = {
  detail: {
    en: 'It is answered to this machine, to METRICS_NETWORKS, and with METRICS_TOKEN as Authorization: Bearer',
    ja: 'このマシン、METRICS_NETWORKS、またはMETRICS_TOKENをAuthorization: Bearerに指定したリクエストにのみ応答します',
  },
};

function readinessOf(context: ApiContext) {
  const { surroundings, release } = context;
  let migrated = false;
  return async () => {
    const database = await answers(() =>
      context.database.withConnection(EVERY_ORGANIZATION, ({ query }) => query('SELECT 1')),
    );
    migrated ||= database && (await answers(() => requireMigrated(context.settings.databaseDirectUrl)));
    const queue = database && migrated && (await answers(() => requireMovingQueues(context)));
    const { storage, scanner, clock } = await surroundings.latest();
    const checks = {
      database,
      migrations: database && migrated,
      queue,
      store: storage === null,
      // undefined, which JSON leaves out, where the settings name no scanner.
      scanner: scanner === undefined ? undefined : scanner === null,
      clock: clock === null,
    };
    // Workers that stand still are no reason to stop answering requests: their jobs wait in the outbox. Without the store
    // most calls work, without the scanner files wait for their verdict, and a wrong clock is as wrong in every process of
    // the machine.
    const status = checks.database && checks.migrations ? 'ok' : 'unavailable';
    return { status, ...release, checks };
  };
}

async function requireMigrated(url: string): Promise<void> {
  const status = await migrationStatus(url);
  if (status.some(({ applied }) => !applied)) throw new Error('Migrations are waiting');
}

/** Seconds that a due job may wait for its dispatch before the queues count as standing still. */
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
