import Router from '@koa/router';
import { EVERY_ORGANIZATION } from '../shared/db/database.ts';
import { migrationStatus } from '../shared/db/migrate.ts';
import type { ApiContext } from './context.ts';

/** For machines that watch the service: alive, ready to serve, its numbers. */
export function health(context: ApiContext): Router {
  const router = new Router();
  let migrated = false;

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const database = await answers(() =>
      context.database.withConnection(EVERY_ORGANIZATION, ({ query }) => query('SELECT 1')),
    );
    migrated ||= database && (await answers(() => requireMigrated(context.settings.databaseDirectUrl)));
    const checks = { database, migrations: database && migrated };
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

async function answers(check: () => Promise<unknown>): Promise<boolean> {
  return check().then(
    () => true,
    () => false,
  );
}
