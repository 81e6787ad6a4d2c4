import Router from '@koa/router';
import knex from 'knex';
import Koa from 'koa';
import { Model } from 'objection';
import getRawBody from 'raw-body';
import { newId } from '../../../shared/kernel/id.ts';

/**
 * A response of a form by Koa and Objection alone: one insert, the row as answer; and one row by its ID. No credentials, no check
 * of answers, no event, no audit entry.
 */
class Response extends Model {
  static override tableName = 'bare_responses';
  static override idColumn = ['organization_id', 'id'];
  static override jsonAttributes = ['data'];
}

const organization_id = process.env['ORGANIZATION'];
Model.knex(knex({ client: 'pg', connection: process.env['DATABASE_URL'] ?? '', pool: { min: 10, max: 10 } }));

const app = new Koa();
const router = new Router();

router.post('/forms/:id/responses', async (context) => {
  const { data } = JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const now = new Date();
  const form_id = context.params['id'];
  const row = { organization_id, id: newId('resp', now), form_id, data, submitted_at: now };
  context.status = 201;
  context.body = {
    response: await Response.query()
      .insert(row as object)
      .returning('*'),
  };
});

router.get('/responses/:id', async (context) => {
  const row = await Response.query().findById([organization_id!, context.params['id']!]);
  if (!row) context.throw(404);
  context.body = { response: row };
});

app.use(router.routes());
app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
