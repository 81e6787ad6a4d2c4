import assert from 'node:assert/strict';
import pg from 'pg';
import { MOST_MERGED_AT_ONCE } from '../../shared/crm/merges/operations.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { TestApp } from './app.ts';
import { company, contact, made } from './crm-pairs.ts';
import { seedDocuments } from './many-documents.ts';
import { until } from './until.ts';
import { startWorkers, type TestWorkers } from './workers.ts';

type Asking = Awaited<ReturnType<TestApp['actor']>>;

/** Workers of the queue that merges stand in. */
export function startMergeWorkers(app: TestApp): Promise<TestWorkers> {
  const { dataDir } = app.context.settings;
  return startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'csv-import']);
}

/** Documents of the losers: one more than a request merges. */
export const DOCUMENTS = MOST_MERGED_AT_ONCE + 1;

/** Two companies; the loser has more documents than a request merges, a deal, a contact and a note. */
export async function largePair(app: TestApp, client: Asking) {
  await made(client, '/crm/pipelines', { name: 'P' });
  const survivor = await company(client, { name: '山田商店', phone: '03-1' });
  const loser = await company(client, { name: '㈱山田商店', note: 'x' });
  const company_id = loser.id;
  const deal = await made(client, '/crm/deals', { name: 'D', amount: 1000, company_id });
  const person = await contact(client, { company_id });
  await made(client, '/crm/activities', { type: 'note', content: 'n', company_id });
  const { ids } = await seedDocuments(app.database, client.actor, 'invoice', {
    companies: [company_id],
    count: DOCUMENTS,
  });
  const path = `/crm/companies/${survivor.id}/merge`;
  return { survivor, loser, deal, person, ids, path };
}

/** Two contacts; the loser has more notes than a request merges. */
export async function largeContacts(app: TestApp, client: Asking) {
  const survivor = await contact(client, { first_name: '花子' });
  const loser = await contact(client, { phone: '03' });
  const ids = Array.from({ length: DOCUMENTS }, () => newId('act', new Date()));
  await app.database.withConnection(client.actor.organization_id, ({ query }) =>
    query(
      `INSERT INTO crm_activities (organization_id, id, type, content, contact_id, occurred_at, created_at, updated_at)
       SELECT $1, id, 'note', 'n', $2, now(), now(), now() FROM unnest($3::text[]) AS id`,
      [client.actor.organization_id, loser.id, ids],
    ),
  );
  return { survivor, loser, path: `/crm/contacts/${survivor.id}/merge` };
}

/** What a merge writes of an organization's records, and what tells of it. */
export async function mergedState(app: TestApp, organization_id: string, company_id: string) {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const [row] = await query<Record<string, number>>(
      `SELECT (SELECT count(*) FROM invoicing_documents WHERE organization_id = $1 AND company_id = $2) AS documents,
              (SELECT count(*) FROM crm_deals WHERE organization_id = $1 AND company_id = $2) AS deals,
              (SELECT count(*) FROM crm_contacts WHERE organization_id = $1 AND company_id = $2) AS contacts,
              (SELECT count(*) FROM crm_activities WHERE organization_id = $1 AND company_id = $2) AS activities,
              (SELECT count(*) FROM crm_merges WHERE organization_id = $1) AS kept_requests,
              (SELECT count(*) FROM events WHERE organization_id = $1 AND type = 'invoice.updated') AS events,
              (SELECT count(*) FROM audit_logs WHERE organization_id = $1 AND entity_type = 'invoice'
                 AND action = 'update') AS entries`,
      [organization_id, company_id],
    );
    return row!;
  });
}

/** Keeps a merge from moving a contact until `release` is called: by then it has locked everything and moved deals. */
export async function holdContact(app: TestApp, id: string) {
  const blocker = new pg.Client({ connectionString: app.database_url });
  blocker.on('error', () => undefined);
  await blocker.connect();
  await blocker.query('BEGIN');
  const { rowCount } = await blocker.query('SELECT FROM crm_contacts WHERE id = $1 FOR UPDATE', [id]);
  assert.equal(rowCount, 1);
  return async () => {
    await blocker.query('COMMIT');
    await blocker.end();
  };
}

/** Waits until a merge of a worker waits at a held contact. */
export function untilMergeWaits(app: TestApp): Promise<unknown> {
  return until('a merge waits at the held contact', async () => {
    const rows = await app.database.withConnection('*', ({ query }) =>
      query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND application_name = 'business-operations-bulk'`,
      ),
    );
    return rows.length > 0;
  });
}
