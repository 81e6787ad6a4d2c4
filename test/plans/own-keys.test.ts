import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { corporateCheckDigit } from '../../shared/crm/corporate-number.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedContacts } from '../support/many-contacts.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { fill, giveKeys, seedCompanies, seedDeals } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/**
 * What look-ups by keys read at 100,000 rows in several organizations: a step in the index of the key for each value that
 * was asked for, also where merged records have left thousands of keys to others.
 */
const MANY = 80_000;
const OTHERS = 10_000;
const ASKED = 100;

/** Tables that are small in any organization. */
const SMALL = new Set([
  'crm_tags',
  'crm_tag_assignments',
  'crm_aliases',
  'crm_custom_fields',
  'crm_stages',
  'crm_pipelines',
  'crm_deal_contacts',
  'mail_list_members',
  'mail_lists',
  'invoicing_settings',
  'invoicing_images',
  'invoicing_prints',
  'invoicing_emails',
  'invoicing_links',
  'suppressions',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
]);

const { app, ...planned } = await plannedApp();
const { database } = app;
const client = await app.actor();

async function seed(owner: TestActor, count: number): Promise<void> {
  const { organization_id } = owner;
  await seedContacts(database, owner, count);
  const companies = await seedCompanies(database, owner, count);
  await seedDeals(database, owner, companies, count / 4);
  await seedMailContacts(database, organization_id, count);
  const { ids } = await seedDocuments(database, owner, 'invoice', { companies, count: count / 2 });
  await fill(database, owner, 'invoicing_payments', 'pay', count / 2, (n, { created_at }) => ({
    invoice_id: ids[n],
    paid_at: created_at,
    paid_on: created_at.slice(0, 10),
    amount: 1_100,
    method: 'cash',
    fee_amount: 0,
    withheld_amount: 0,
    metadata: {},
    created_by: owner.user_id,
  }));
  const external_id = "'K-' || n";
  const twelve = "lpad(n::text, 12, '0')";
  const email_key = "'p' || n || '@example.jp'";
  await giveKeys(database, 'crm_companies', organization_id, {
    external_id,
    email: email_key,
    email_key,
    corporate_number: `(9 - (SELECT sum(substr(${twelve}, 13 - place, 1)::integer * (2 - place % 2))
      FROM generate_series(1, 12) AS place) % 9)::text || ${twelve}`,
  });
  await giveKeys(database, 'crm_contacts', organization_id, { external_id, email: email_key, email_key });
  for (const table of ['crm_deals', 'mail_contacts', 'invoicing_documents', 'invoicing_payments']) {
    await giveKeys(database, table, organization_id, { external_id });
  }
  await leaveKeys(organization_id, companies[0]!, 'comp');
}

/** Thousands of merged companies and contacts have left their keys. */
async function leaveKeys(organization_id: string, company_id: string, prefix: string): Promise<void> {
  await database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO key_aliases (organization_id, prefix, key, value, record_id)
       SELECT $1, $2, key, 'M-' || n, $3
         FROM generate_series(1, 5000) AS n, unnest(ARRAY['external_id', 'corporate_number']) AS key`,
      [organization_id, prefix, company_id],
    ),
  );
}

await planned.fill(async () => {
  await seed(await newActor(database), OTHERS);
  await seed(await newActor(database), OTHERS);
  await seed(client.actor, MANY);
});

function reads(path: string, index: RegExp, most: number, found: number): Promise<void> {
  return assertReads(planned, client, SMALL, { path, index, most, found });
}

function numberOf(n: number): string {
  const twelve = String(n).padStart(12, '0');
  return `${corporateCheckDigit(twelve)}${twelve}`;
}

/** A hundred values from all over the table. */
const values = (form: (n: number) => string) =>
  Array.from({ length: ASKED }, (_, n) => encodeURIComponent(form(1 + n * 199))).join(',');

describe('a look-up by a hundred IDs of the client', () => {
  for (const [path, index] of [
    ['crm/companies', 'crm_companies_external_id_once'],
    ['crm/contacts', 'crm_contacts_external_id_once'],
    ['crm/deals', 'crm_deals_external_id_once'],
    ['mail/contacts', 'mail_contacts_external_id_once'],
    ['invoices', 'invoicing_documents_external_id_once'],
    ['payments', 'invoicing_payments_external_id_once'],
  ] as const) {
    test(`reads of ${path} what it finds, with and without the total`, async () => {
      const asked = values((n) => `K-${n}`);
      for (const more of ['&limit=100', '&limit=100&skip_total=true', '&cursor_mode=true&limit=100']) {
        await reads(`/${path}?external_id=${asked}${more}`, new RegExp(`^${index}$`), ASKED * 12, ASKED);
      }
    });
  }

  test('reads the keys of merged companies by their index', async () => {
    const path = `/crm/companies?external_id=${values((n) => (n % 2 ? `M-${(n % 5_000) + 1}` : `K-${n}`))}&limit=100`;
    // The company that has the merged ones' keys is one.
    await reads(path, /^key_aliases_pkey$/, ASKED * 12, ASKED / 2 + 1);
  });
});

describe('a look-up by one key', () => {
  for (const [path, index] of [
    [`crm/companies?corporate_number=${numberOf(4711)}`, /^crm_companies_corporate_number_once$/],
    ['crm/companies?email=p4711@example.jp', /^crm_companies_by_email$/],
    ['crm/contacts?email=p4711@example.jp', /^crm_contacts_by_email$/],
    ['payments?external_id=K-4711', /^invoicing_payments_external_id_once$/],
    ['invoices?external_id=K-4711', /^invoicing_documents_external_id_once$/],
  ] as const) {
    test(path, async () => {
      await reads(`/${path}`, index, 20, 1);
    });
  }
});

describe('PUT by an ID of the client', () => {
  for (const [path, body, index] of [
    ['/crm/companies/by-external-id/K-4711', { note: 'a' }, /^crm_companies_external_id_once$/],
    ['/crm/companies/by-external-id/M-4711', { note: 'b' }, /^key_aliases_pkey$/],
    ['/crm/contacts/by-external-id/K-4711', { note: 'a' }, /^crm_contacts_external_id_once$/],
    ['/crm/deals/by-external-id/K-4711', { source: 'a' }, /^crm_deals_external_id_once$/],
    ['/mail/contacts/by-external-id/K-4711', { first_name: 'A' }, /^mail_contacts_external_id_once$/],
  ] as const) {
    test(path, async () => {
      const { indexes, whole, rows } = await planned.plansOf(async () => {
        const reply = await client.put(path, body);
        assert.equal(reply.status, 200, reply.text);
      });
      assert.deepEqual(
        [...whole].filter((table) => !SMALL.has(table)),
        [],
      );
      assert.ok(
        [...indexes].some((name) => index.test(name)),
        `${[...indexes]}`,
      );
      assert.ok(rows <= 100, `${rows} rows`);
    });
  }
});

describe('the list of jobs', () => {
  test('reads a page of the latest', async () => {
    await fill(database, client.actor, 'jobs', 'job', 20_000, (n) => ({
      kind: 'crm.contacts.export',
      scope: 'crm:read',
      status: 'succeeded',
      progress_done: n,
      result: { rows: n },
      asked_by: client.actor.api_key_id,
      created_by: client.actor.user_id,
    }));
    await database.withConnection('*', ({ query }) => query('ANALYZE jobs'));
    await reads('/jobs?skip_total=true', /^jobs_/, 300, 50);
    await reads('/jobs?kind=crm.contacts.export&skip_total=true', /^jobs_/, 300, 50);
    await reads('/jobs?status=failed&skip_total=true', /^jobs_/, 300, 0);
  });
});
