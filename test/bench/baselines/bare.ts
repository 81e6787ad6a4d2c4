import { createHash } from 'node:crypto';
import Router from '@koa/router';
import knex from 'knex';
import Koa from 'koa';
import { Model } from 'objection';
import pg from 'pg';
import getRawBody from 'raw-body';
import { contactColumns, contactOf } from '../../../shared/crm/contacts/queries.ts';
import { types } from '../../../shared/db/types.ts';
import { searchTerm } from '../../../shared/platform/search/grams.ts';
import { newContactRow } from './new-contact.ts';

/**
 * What one writes in an afternoon: Koa and Objection, one query that looks the key up, and nothing else. No check of
 * input or answer, no scope, no event, no audit entry, no idempotency.
 */
class Contact extends Model {
  static override tableName = 'crm_contacts';
  static override idColumn = ['organization_id', 'id'];
  static override jsonAttributes = ['custom_fields'];
}

pg.types.setTypeParser(1184, (text) => types.getTypeParser(1184, 'text')(text) as string);
const database = knex({
  client: 'pg',
  connection: process.env.DATABASE_URL,
  pool: { min: 10, max: 10 },
});
Model.knex(database);

const app = new Koa();
// The end of a measurement cuts requests off.
app.silent = true;
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

// biome-ignore lint/suspicious/noExplicitAny: the baseline is written without types on purpose.
async function withTags(organization_id: string, rows: any[]) {
  const tags = await database('crm_tag_assignments as assignment')
    .join('crm_tags as tag', (join) =>
      join.on('tag.organization_id', 'assignment.organization_id').on('tag.id', 'assignment.tag_id'),
    )
    .where('assignment.organization_id', organization_id)
    .whereIn(
      'assignment.contact_id',
      rows.map(({ id }) => id),
    )
    .orderBy(['tag.name', 'tag.id'])
    .select('assignment.contact_id', 'tag.id', 'tag.name', 'tag.color');
  return rows.map((row) =>
    contactOf(
      row,
      tags.filter((tag) => tag.contact_id === row.id).map(({ id, name, color }) => ({ id, name, color })),
    ),
  );
}

router.get('/api/v1/crm/contacts', async (context) => {
  const { organization_id } = context.state;
  const limit = Number(context.query.limit ?? 50);
  const query = Contact.query().where({ organization_id });
  if (context.query.search) {
    const term = searchTerm(String(context.query.search))!;
    query.whereRaw('search_grams @> ?::int4[]', [term.grams]).whereLike('search_text', term.pattern);
  }
  const [rows, total] = await Promise.all([
    query.clone().select(contactColumns).orderBy('id', 'desc').limit(limit),
    query.resultSize(),
  ]);
  context.body = { items: await withTags(organization_id, rows), total, limit, offset: 0 };
});

router.get('/api/v1/crm/contacts/:id', async (context) => {
  const { organization_id } = context.state;
  const row = await Contact.query().select(contactColumns).findById([organization_id, context.params.id]);
  if (!row) context.throw(404);
  const [contact] = await withTags(organization_id, [row]);
  context.body = { contact };
});

router.post('/api/v1/crm/contacts', async (context) => {
  const body = JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const made = newContactRow(context.state as never, body);
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const row = await Contact.query().insertAndFetch(made as any);
  context.status = 201;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  context.body = { contact: contactOf(row as any, []) };
});

app.use(router.routes());
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
