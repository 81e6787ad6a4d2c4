import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIdOf, newId } from '../../shared/kernel/id.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { seedReceived } from '../support/many-received.ts';
import { fill, seedCompanies } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/** Pages of timelines of a company with thousands of documents, beside others of the organization that have a few each. */
const DOCUMENTS = 4_000;
/** What is empty here, or small anywhere. */
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'crm_aliases',
  'crm_activities',
  'crm_deals',
]);

const { app, ...planned } = await plannedApp();
const client = await app.actor();
const mixed = await app.actor();
const { company_id, mixed_id } = await planned.fill(async () => {
  await seed(await newActor(app.database), 400, lifeOf);
  const [company_id, mixed_id] = [
    await seed(client.actor, DOCUMENTS, lifeOf),
    await seed(mixed.actor, 150, mixedLife),
  ];
  return { company_id, mixed_id };
});

type Moment = { after: number; changes: object };

/** An invoice is made, approved, sent, noted on twice and paid, all within an hour: sixty at a time are under way. */
function lifeOf(): Moment[] {
  const statuses = ['draft', 'approved', 'sent'].map((status, n) => ({
    after: n * 10,
    changes: { status: [null, status] },
  }));
  const notes = [30, 40].map((after) => ({ after, changes: { memo: [null, '電話した'] } }));
  return [...statuses, ...notes, { after: 60, changes: { status: ['sent', 'paid'] } }];
}

/** Lives of all lengths, with changes in the very same millisecond as others. */
function mixedLife(n: number): Moment[] {
  const status = { status: ['draft', `${n % 4}`] };
  const moments = [{ after: 0, changes: status }];
  for (let at = 0; at < n % 5; at += 1) moments.push({ after: (at * n * 7) % 130, changes: status });
  return n % 3 === 0 ? [...moments, { after: 130, changes: { status: ['x', 'y'] } }] : moments;
}

/** Answers the company that nearly all of the documents are of, and all received ones and deposits. */
async function seed(owner: TestActor, count: number, life: (n: number) => Moment[]): Promise<string> {
  const { database } = app;
  const [large, ...others] = await seedCompanies(database, owner, 50);
  const companies = [large!];
  await seedDocuments(database, owner, 'delivery_note', { companies: others, count: count / 4 });
  const { ids } = await seedDocuments(database, owner, 'invoice', { companies, count });
  await seedLives(owner, 'invoicing_documents', ids, life);
  const received = await seedReceived(database, owner, 'invoice', { companies, count: count / 4 });
  await seedLives(owner, 'received_documents', received, life);
  const deposits = await fill(database, owner, 'invoicing_deposits', 'dep', count, () => ({
    company_id: large,
    received_on: '2026-05-31',
    amount: 1_100,
    method: 'bank_transfer',
    fee_amount: 0,
    allocated: 0,
    refunded: 0,
    metadata: {},
    created_by: owner.user_id,
  }));
  await seedLives(owner, 'invoicing_deposits', deposits, (n) => life(n).slice(0, 1));
  return large!;
}

async function seedLives(owner: TestActor, table: string, ids: string[], life: (n: number) => Moment[]) {
  const start = Date.now() - (ids.length + 200) * 60_000;
  const moments = ids.flatMap((entity_id, n) =>
    life(n).map(({ after, changes }, place) => ({
      entity_id,
      changes,
      action: place === 0 ? 'create' : 'update',
      at: new Date(start + (n + after) * 60_000),
    })),
  );
  await fill(app.database, owner, 'audit_logs', 'aud', moments.length, (n) => {
    const { at, ...moment } = moments[n]!;
    const entry = { id: newId('aud', at), created_at: at, updated_at: undefined, ...moment };
    return { ...entry, domain: 'x', entity_type: 'x', actor_type: 'user', actor_id: owner.user_id };
  });
  await app.database.withConnection(owner.organization_id, ({ query }) =>
    query(
      // Some of what happened is dated before the making: work that began earlier.
      `WITH life AS (
         SELECT entity_id AS id, min(created_at) AS first, max(created_at) AS last FROM audit_logs
          WHERE organization_id = $1 GROUP BY entity_id)
       UPDATE ${table} AS record
          SET created_at = least(first + interval '30 minutes', last), updated_at = last
         FROM life WHERE organization_id = $1 AND record.id = life.id`,
      [owner.organization_id],
    ),
  );
}

async function read(limit: number, index: RegExp, minutes_ago?: number): Promise<void> {
  const at = minutes_ago === undefined ? undefined : new Date(Date.now() - minutes_ago * 60_000);
  const cursor = at ? `&starting_after=${firstIdOf('aud', at)}` : '';
  await assertReads(planned, client, SMALL, {
    path: `/crm/timeline?company_id=${company_id}&limit=${limit}${cursor}`,
    index,
    most: limit * 20 + 1_000,
    found: limit,
  });
}

for (const table of ['invoicing_documents', 'received_documents', 'invoicing_deposits']) {
  test(`the first page, one in the middle and the last ones read about a page of ${table}`, async () => {
    const index = new RegExp(`${table}_in_timeline`);
    await read(50, index);
    await read(200, index);
    await read(50, index, DOCUMENTS / 2);
    await read(50, index, DOCUMENTS);
  });
}

/** All that a page may show, by one plain statement: an independent look at the same rows. */
async function allOf({ actor }: { actor: TestActor }, id: string): Promise<string[]> {
  const rows = await app.database.withConnection(actor.organization_id, ({ query }) =>
    query<{ id: string }>(
      `SELECT id FROM audit_logs
        WHERE organization_id = $1 AND changes->'status' IS NOT NULL AND entity_id IN (
          SELECT id FROM invoicing_documents WHERE organization_id = $1 AND company_id = $2 UNION ALL
          SELECT id FROM received_documents WHERE organization_id = $1 AND company_id = $2 UNION ALL
          SELECT id FROM invoicing_deposits WHERE organization_id = $1 AND company_id = $2)
        ORDER BY id DESC`,
      [actor.organization_id, id],
    ),
  );
  return rows.map((row) => row.id);
}

for (const limit of [1, 7, 200]) {
  test(`documents of all kinds of lives, ${limit} at a time, are those of a statement that reads all`, async () => {
    const pages: string[] = [];
    for (let more = true; more; ) {
      const after = pages.length > 0 ? `&starting_after=${pages.at(-1)}` : '';
      const { body } = await mixed.get(`/crm/timeline?company_id=${mixed_id}&limit=${limit}${after}`);
      pages.push(...body.data.map((item: { id: string }) => item.id));
      more = body.has_more;
    }
    assert.deepEqual(pages, await allOf(mixed, mixed_id));
    assert.ok(pages.length > 300);
  });
}
