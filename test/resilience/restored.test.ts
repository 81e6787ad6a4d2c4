import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { newId } from '../../shared/kernel/id.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type Client, clientOf } from '../support/client.ts';
import { newSeller } from '../support/documents.ts';
import { downloadPdf, startRenderers } from '../support/pdf-documents.ts';
import { readPdf } from '../support/rendering.ts';
import { ownServer } from './own-server.ts';

const old = await startApp();
const client = await old.actor();

test('the feed, its order and a cursor survive dump and restore into another server', async () => {
  await addContacts(client, 10);
  await feed(client);
  await addLateEvent();
  await feed(client);
  await addContacts(client, 9);
  const first = await feed(client);
  assert.equal(first.length, 20);
  assert.notDeepEqual(first, first.toSorted());
  const cursor = first[12];
  // These have no place in the feed yet: nobody has asked for them.
  await addContacts(client, 5);

  const server = await ownServer();
  await copyRows(old.database_url, server.url, server.admin_url);
  const app = await startApp({ database: { ...server, drop: async () => {} } });
  const there = clientOf(app.base_url, { Authorization: `Bearer ${client.actor.secret}` });
  const restored = await feed(there);
  assert.deepEqual(restored.slice(0, 20), first);
  assert.equal(new Set(restored).size, 25);
  assert.deepEqual(await feed(there, cursor), restored.slice(13));
  assert.deepEqual(await feed(there, '', 'desc'), restored.toReversed());

  await addContacts(there, 3);
  const later = await feed(there);
  assert.equal(later.length, 28);
  assert.deepEqual(later.slice(0, 25), restored);
  assert.deepEqual(await feed(there, restored.at(-1)), later.slice(25));
});

test('issued documents keep the bytes of their PDF, and those that had none yet print what they were issued with', async () => {
  const seller = await newSeller(old);
  const workers = await startRenderers(old);
  const ready = await seller.after('invoice', ['approve']);
  const bytes = await downloadPdf(old, seller, `/invoices/${ready.id}/pdf`);
  await workers.stop();
  const late = await seller.after('quotation', ['send'], { subject: '復元の前' });
  await seller.patch('/invoice-settings', { issuer_name: '復元の前に変えた名前' });

  const server = await ownServer();
  await copyRows(old.database_url, server.url, server.admin_url);
  const app = await startApp({ database: { ...server, drop: async () => {} } });
  const files = (of: TestApp) => join(of.context.settings.dataDir, 'files');
  cpSync(files(old), files(app), { recursive: true });
  const there = { ...seller, ...clientOf(app.base_url, { Authorization: `Bearer ${seller.actor.secret}` }) };
  assert.ok((await downloadPdf(app, there, `/invoices/${ready.id}/pdf`)).equals(bytes));

  await startRenderers(app);
  const text = readPdf(await downloadPdf(app, there, `/quotations/${late.id}/pdf`)).text();
  assert.match(text, /復元の前/);
  assert.doesNotMatch(text, /復元の前に変えた名前/);
  assert.ok((await downloadPdf(app, there, `/invoices/${ready.id}/pdf`)).equals(bytes));
});

async function addContacts(by: Client, count: number): Promise<void> {
  const made = Array.from({ length: count }, (_, n) =>
    by.post('/crm/contacts', { first_name: `${n}`, last_name: 'A' }),
  );
  for (const reply of await Promise.all(made)) assert.equal(reply.status, 201, reply.text);
}

/** As of a transaction that began a minute ago and has committed just now: its ID is older than its place. */
async function addLateEvent(): Promise<void> {
  const { organization_id } = client.actor;
  const began = new Date(Date.now() - 60_000);
  await old.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO events (organization_id, id, type, data, created_at)
       VALUES ($1, $2, 'crm.contact.created', '{}', $3)`,
      [organization_id, newId('evt', began), began.toISOString()],
    ),
  );
}

/** The IDs of the events after a cursor, asked for page by page. */
async function feed(by: Client, cursor = '', order = 'asc'): Promise<string[]> {
  const seen: string[] = [];
  for (let after = cursor; ; after = seen.at(-1)!) {
    const { body } = await by.get(`/events?order=${order}&limit=4${after && `&starting_after=${after}`}`);
    for (const { id } of body.data) seen.push(id);
    if (!body.has_more) return seen;
  }
}

/** What a dump carries over: the rows of every table and nothing else of the server, in any order. */
async function copyRows(from_url: string, to_url: string, admin_url: string): Promise<void> {
  const from = new pg.Client({ connectionString: from_url });
  const admin = new URL(admin_url);
  admin.pathname = new URL(to_url).pathname;
  const to = new pg.Client({ connectionString: admin.href });
  await Promise.all([from.connect(), to.connect()]);
  try {
    // As pg_restore does: what refers to each other comes in any order.
    await to.query('SET session_replication_role = replica');
    const { rows: tables } = await from.query<{ name: string; columns: string }>(
      `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
          AND table_name NOT LIKE 'knex%'
        GROUP BY table_name`,
    );
    for (const { name, columns } of tables) {
      // The rows that migrations wrote are in the dump, too.
      await to.query(`DELETE FROM ${name}`);
      const { rows } = await from.query(
        `SELECT jsonb_agg(to_jsonb(t) ORDER BY random())::text AS rows FROM ${name} t`,
      );
      await to.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM jsonb_populate_recordset(null::${name}, $1)`,
        [rows[0].rows ?? '[]'],
      );
    }
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}
