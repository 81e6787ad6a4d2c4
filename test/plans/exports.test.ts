import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { dealExport } from '../../shared/crm/exports/deals.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import type { Sort } from '../../shared/kernel/window.ts';
import { mailContactExport } from '../../shared/mail/exports/contacts.ts';
import { chosenColumns } from '../../shared/platform/exports/columns.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';
import { windowOf } from '../../shared/platform/exports/operations.ts';
import { copyStatement } from '../../shared/platform/exports/statement.ts';
import { newActor } from '../support/actors.ts';
import { RARE, seedContacts } from '../support/many-contacts.ts';
import { seedMailContacts } from '../support/many-mail-contacts.ts';
import { seedCompanies, seedDeals } from '../support/many-records.ts';
import { plannedDatabase } from '../support/plans.ts';

/** What an export reads among 40,000 rows: the rows that its filters leave, each of them once. */
const MANY = 40_000;
const OTHERS = 10_000;
const RARE_ROWS = MANY / 10_000;

const planned = await plannedDatabase();
const { database } = planned.database;
after(() => planned.database.drop());

const actor = await newActor(database);
await planned.fill(async () => {
  for (const [owner, count] of [
    [actor, MANY],
    [await newActor(database), OTHERS],
  ] as const) {
    await seedContacts(database, owner, count);
    await seedDeals(database, owner, await seedCompanies(database, owner, count), count);
    await seedMailContacts(database, owner.organization_id, count);
  }
});

/** Runs what COPY would copy, and says what it looked at. */
async function read(
  exporter: Exporter,
  filters: Record<string, unknown>,
  { columns = null, sort = [] }: { columns?: string[] | null; sort?: Sort[] } = {},
) {
  const { organization_id } = actor;
  let found = 0;
  const plans = await planned.plansOf(() =>
    database.withConnection(organization_id, async (connection) => {
      const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
      const reader: Reader = { ...who, connection, now: new Date() };
      const form = { exporter: '', filters, sort, created_after: null, created_before: null };
      const window = windowOf({ ...form, columns, encoding: 'utf-8', line_ending: 'lf' });
      const chosen = await chosenColumns(reader, exporter, columns);
      const copy = copyStatement(reader, await exporter.list(reader, filters, window), chosen);
      const [, select] = /^COPY \((.*)\) TO STDOUT \(FORMAT csv\)$/s.exec(copy)!;
      found = (await connection.query(select!, [], { prepared: false })).length;
    }),
  );
  return { ...plans, found };
}

describe('an export reads through an index what its filters leave', () => {
  for (const [exporter, index] of [
    [contactExport, /crm_contacts_search/],
    [dealExport, /crm_deals_search/],
    [mailContactExport, /mail_contacts_search/],
  ] as const) {
    test(`${exporter.name}: a rare name`, async () => {
      const { indexes, found, rows, whole } = await read(exporter, { search: RARE.two }, { columns: ['id'] });
      assert.equal(found, RARE_ROWS);
      assert.ok(
        [...indexes].some((name) => index.test(name)),
        [...indexes].join(),
      );
      assert.ok(rows <= RARE_ROWS * 10 + 20, `${rows} rows`);
      whole.delete('mail_contacts_unindexed');
      assert.deepEqual([...whole], [], 'all but the few rows of what a sweep has still to index');
    });
  }

  test('crm.deals: those of a stage', async () => {
    const { found, rows } = await read(dealExport, { status: ['won'] }, { columns: ['id'] });
    assert.ok(found > 0 && found < MANY / 2, `${found}`);
    assert.ok(rows <= found * 2 + 100, `${rows} rows for ${found}`);
  });
});

describe('an export of all looks at each row once', () => {
  for (const exporter of [contactExport, dealExport, mailContactExport]) {
    test(`${exporter.name}, without what other tables have`, async () => {
      const { found, rows } = await read(exporter, {}, { columns: ['id', 'created_at'] });
      assert.equal(found, MANY);
      assert.ok(rows <= MANY + OTHERS, `${rows} rows`);
    });
  }

  test('crm.contacts with all columns: other tables by their keys, some rows for each', async () => {
    const { found, rows, whole } = await read(contactExport, {});
    assert.equal(found, MANY);
    assert.ok(rows <= MANY * 6, `${rows} rows`);
    assert.ok(!whole.has('crm_companies'), 'companies are read by their key');
  });

  test('crm.contacts by name', async () => {
    const sort: Sort[] = [{ field: 'name', direction: 'asc' }];
    const { found, rows } = await read(contactExport, {}, { columns: ['id'], sort });
    assert.equal(found, MANY);
    assert.ok(rows <= MANY + OTHERS, `${rows} rows`);
  });
});
