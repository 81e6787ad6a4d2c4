import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newActor } from '../support/actors.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { seedReceived } from '../support/many-received.ts';
import { seedCompanies } from '../support/many-records.ts';
import { plannedApp } from '../support/plans.ts';

/**
 * Statements that each request sends are planned a few times on each connection, and then have a plan that is kept: one that is planned
 * anew at each use costs the database several times what it reads. Small tables would not tell: any plan of theirs is cheap.
 */
const ORGANIZATIONS = 1_000;
const MANY = 20_000;

/** PostgreSQL plans so many times with the values before it compares. */
const TRIED = 5;

const planned = await plannedApp();
const { app } = planned;
const { database } = app;
const client = await app.actor();
await planned.fill(async () => {
  const { actor } = client;
  for (let n = 0; n < ORGANIZATIONS; n += 1) await newActor(database);
  const companies = await seedCompanies(database, actor, MANY / 4);
  await seedContacts(database, actor, MANY);
  await seedMailContacts(database, actor.organization_id, MANY, { changed_from: MANY / 2 });
  await seedDocuments(database, actor, 'invoice', { companies, count: MANY });
  await seedReceived(database, actor, 'invoice', { companies, count: MANY });
});

type Prepared = { statement: string; custom_plans: number; generic_plans: number };

/** What the statements of a connection that were used more often than PostgreSQL tries have been planned for. */
async function usedOften(): Promise<Prepared[]> {
  return database.withConnection('*', ({ query }) =>
    query<Prepared>(
      `SELECT statement, custom_plans::integer, generic_plans::integer FROM pg_prepared_statements
        WHERE statement ~* '^\\s*(select|with)' AND custom_plans + generic_plans > $1`,
      [TRIED],
    ),
  );
}

async function assertKept(path: string, pattern: RegExp): Promise<void> {
  for (let n = 0; n < 3 * TRIED; n += 1) assert.equal((await client.get(path)).status, 200);
  const prepared = (await usedOften()).filter(({ statement }) => pattern.test(statement));
  assert.ok(prepared.length > 0, `nothing like ${pattern} is used often`);
  for (const { statement, custom_plans } of prepared)
    assert.ok(custom_plans <= TRIED, `planned ${custom_plans} times: ${statement}`);
}

async function firstOf(path: string): Promise<string> {
  const { body } = await client.get(`${path}?limit=1`);
  return `${path}/${body.items[0].id}`;
}

describe('the plan is kept', () => {
  test('of the look-up of a key among those of many organizations', () =>
    assertKept('/crm/companies', /^SELECT hash\.key_hash/));

  test('of a page of a large list', () =>
    assertKept('/crm/contacts', /^select .* from "crm_contacts" .* order by "id" desc/));

  test('of a page by the last change', () =>
    assertKept(
      '/mail/contacts?sort=updated_at:desc&skip_total=true',
      /^select .* from "mail_contacts" .* order by "mail_contacts"."updated_at" desc/,
    ));

  test('of a page of documents with what stands beside them', () =>
    assertKept('/received-invoices?skip_total=true', /FROM received_/));

  for (const path of ['/crm/contacts', '/crm/companies', '/mail/contacts', '/invoices'])
    for (const term of ['勅使', '勅使河原'])
      test(`of a search of ${path} for ${term}`, () =>
        assertKept(`${path}?search=${encodeURIComponent(term)}`, /search_grams @> /));

  for (const path of ['/crm/contacts', '/mail/contacts', '/invoices', '/received-invoices'])
    test(`of a record of ${path} with what stands beside it`, async () =>
      assertKept(await firstOf(path), / = ANY \(\(SELECT /));
});
