import { createHash } from 'node:crypto';
import Router from '@koa/router';
import knex from 'knex';
import Koa from 'koa';
import { Model } from 'objection';
import getRawBody from 'raw-body';
import { newId } from '../../../shared/kernel/id.ts';

/**
 * A punch as one writes it in an afternoon: Koa and Objection, one query that looks the key up, and the row of the punch. No
 * state, no session, no figures, no event, no audit entry.
 */
class Punch extends Model {
  static override tableName = 'attendance_punches';
  static override idColumn = ['organization_id', 'id'];
}

const database = knex({
  client: 'pg',
  connection: process.env['DATABASE_URL'],
  pool: { min: 10, max: 10 },
});
Model.knex(database);

const app = new Koa();
const router = new Router();

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

router.post('/api/v1/attendance/punches', async (context) => {
  const { type, member_id } = JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const now = new Date();
  const at = now.toISOString();
  const row = {
    organization_id: context.state['organization_id'],
    id: newId('punch', now),
    member_id,
    session_id: 'asess_none',
    type,
    occurred_at: at,
    original_occurred_at: at,
    work_date: at.slice(0, 10),
    source: 'api',
    created_by: context.state['created_by'],
    created_at: at,
  };
  await Punch.query().insert(row as object);
  context.status = 201;
  context.body = { punch: row };
});

app.use(router.routes());
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
