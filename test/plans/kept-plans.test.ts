import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newActor } from '../support/actors.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { plannedApp } from '../support/plans.ts';

/**
 * Statements that each request sends are planned a few times on each connection, and then have a plan that is kept: one that is planned
 * anew at each use costs the database several times what it reads.
 */
const ORGANIZATIONS = 1_000;
const CONTACTS = 20_000;

/** PostgreSQL plans so many times with the values before it compares. */
const TRIED = 5;

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
await planned.fill(async () => {
  for (let n = 0; n < ORGANIZATIONS; n += 1) await newActor(app.database);
  await seedContacts(app.database, client.actor, CONTACTS);
  await seedMailContacts(app.database, client.actor.organization_id, CONTACTS, {
    changed_from: CONTACTS / 2,
  });
});

/** What each prepared statement like these has been planned for, with its values and for any. */
async function plansOf(pattern: string) {
  return app.database.withConnection('*', ({ query }) =>
    query<{ statement: string; custom_plans: number; generic_plans: number }>(
      `SELECT statement, custom_plans::integer, generic_plans::integer FROM pg_prepared_statements
        WHERE statement LIKE $1 AND custom_plans + generic_plans > $2`,
      [pattern, TRIED],
    ),
  );
}

function keeps(what: string, path: string, pattern: string): void {
  test(what, async () => {
    for (let n = 0; n < 3 * TRIED; n += 1) assert.equal((await client.get(path)).status, 200);
    const plans = await plansOf(pattern);
    assert.ok(plans.length > 0, 'no connection has prepared it');
    for (const { statement, custom_plans, generic_plans } of plans) {
      assert.ok(custom_plans <= TRIED, `${custom_plans} times planned anew: ${statement}`);
      assert.ok(generic_plans > 0, statement);
    }
  });
}

describe('one plan is kept', () => {
  keeps(
    'for the look-up of a key among those of many organizations',
    '/crm/companies',
    'SELECT hash.key_hash%',
  );
  keeps('for a page of a large list', '/crm/contacts', 'select % from "crm_contacts" % order by "id" desc%');
  keeps(
    'for a page by the last change',
    '/mail/contacts?sort=updated_at:desc&skip_total=true',
    'select % from "mail_contacts" % order by "mail_contacts"."updated_at" desc%',
  );
});
