import { createHash } from 'node:crypto';
import Router from '@koa/router';
import knex from 'knex';
import Koa from 'koa';
import { Model } from 'objection';
import pg from 'pg';
import { types } from '../../../shared/db/types.ts';

/*
 * What bare servers are built on: Koa, Objection over ten connections, and one query that looks the key up. No scope, no
 * check, no limits.
 */

// biome-ignore lint/suspicious/noExplicitAny: the baselines are written without types on purpose.
export type Any = any;

const { TIMESTAMPTZ, DATE, INT8 } = pg.types.builtins;
for (const oid of [TIMESTAMPTZ, DATE, INT8]) {
  const parse = types.getTypeParser(oid, 'text') as (text: string) => Any;
  pg.types.setTypeParser(oid, parse);
}

export const database = knex({
  client: 'pg',
  connection: process.env['DATABASE_URL'] ?? '',
  pool: { min: 10, max: 10 },
});
Model.knex(database);

export const router = new Router();

/** Serves the routes that were added to the router; the key's organization and creator are in `context.state`. */
export function serve(): void {
  const app = new Koa();
  // The end of a measurement cuts requests off.
  app.silent = true;
  app.use(async (context, next) => {
    const secret = (context.get('Authorization') ?? '').slice('Bearer '.length);
    const key = await database('api_key_hashes as hash')
      .join('api_keys as key', (join) =>
        join.on('key.organization_id', 'hash.organization_id').on('key.id', 'hash.api_key_id'),
      )
      .where({ key_hash: createHash('sha256').update(secret).digest() })
      .first('key.organization_id', 'key.created_by');
    if (!key) context.throw(401);
    context.state = key;
    await next();
  });
  app.use(router.routes());
  app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({ ready: true }));
  process.on('disconnect', () => process.exit(0));
}
