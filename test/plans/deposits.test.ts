import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysLater } from '../../shared/kernel/days.ts';
import type { TestActor } from '../support/actors.ts';
import { seedDocuments } from '../support/many-documents.ts';
import { fill, seedCompanies } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/** What lists of deposits and suggestions for them read beside 100,000 invoices that are all open. */
const INVOICES = 100_000;
const COMPANIES = 20_000;
const DEPOSITS = 20_000;
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'invoicing_settings',
  'invoicing_images',
  'invoicing_deposit_refunds',
  'crm_aliases',
]);
const FIRST_DAY = '2024-01-01';

const { app, ...planned } = await plannedApp();
const client = await app.actor();
const companies = await planned.fill(() => seed(client.actor));

async function seed(owner: TestActor): Promise<string[]> {
  const own = await seedCompanies(app.database, owner, COMPANIES);
  const { ids } = await seedDocuments(app.database, owner, 'invoice', { companies: own, count: INVOICES });
  await app.database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `UPDATE invoicing_documents SET status = 'sent', amount_paid = 0, balance = total, paid_at = NULL
        WHERE organization_id = $1`,
      [owner.organization_id],
    ),
  );
  const deposits = await fill(app.database, owner, 'invoicing_deposits', 'dep', DEPOSITS, (n) => ({
    company_id: n % 4 === 0 ? null : own[n % COMPANIES],
    received_on: daysLater(FIRST_DAY, Math.floor(n / 20)),
    amount: 1_000 + n,
    method: 'bank_transfer',
    fee_amount: 0,
    payer_name: `ﾔﾏﾀﾞ${n % 5_000}`,
    allocated: n % 100 === 0 ? 0 : 1_000 + n,
    refunded: 0,
    created_by: owner.user_id,
  }));
  await fill(app.database, owner, 'invoicing_payments', 'pay', DEPOSITS, (n) => ({
    invoice_id: ids[n],
    deposit_id: deposits[n],
    from_advances: false,
    paid_at: `${FIRST_DAY}T03:00:00Z`,
    amount: 1_000 + n,
    method: 'bank_transfer',
    fee_amount: 0,
    withheld_amount: 0,
    created_by: owner.user_id,
  }));
  return own;
}

const reads = (path: string, index: RegExp, most: number, found?: number) =>
  assertReads(planned, client, SMALL, { path, index, most, ...(found !== undefined && { found }) });

/** The rows of a page, once for each statement that looks at them. */
const PAGE = 50 * 8;

describe('lists of deposits read a page', () => {
  for (const [query, index, most, found] of [
    ['skip_total=true', /invoicing_deposits_pkey/, PAGE, 50],
    ['sort=received_on:desc&cursor_mode=true', /invoicing_deposits_by_day/, PAGE, 50],
    ['sort=updated_at:desc&cursor_mode=true', /invoicing_deposits_by_change/, PAGE, 50],
    ['has_unallocated=true&skip_total=true', /invoicing_deposits_open/, PAGE, 50],
    ['received_from=2024-03-01&received_to=2024-03-02', /invoicing_deposits_by_day/, PAGE, 40],
  ] as const) {
    test(query, () => reads(`/deposits?${query}`, index, most, found));
  }

  test('of a company', () =>
    reads(`/deposits?company_id=${companies[77]}`, /invoicing_deposits_by_company/, PAGE, 1));

  test('in the timeline of a company', () => {
    // What is empty here is read whole: test/plans/crm.test.ts has these at their size.
    const empty = new Set([...SMALL, 'crm_activities', 'crm_deals', 'audit_logs', 'received_documents']);
    const path = `/crm/timeline?company_id=${companies[77]}`;
    return assertReads(planned, client, empty, { path, index: /invoicing_deposits_in_timeline/, most: PAGE });
  });
});

describe('suggestions read candidates', () => {
  const ask = (fields: Record<string, string>) => `/deposits/suggestions?${new URLSearchParams(fields)}`;
  // Companies by name, by what was paid before and by amount, with forty open invoices each at the most.
  const MOST = 60 * 45 + 1_000;

  test('by the name as banks write it', () =>
    reads(ask({ amount: '5500', payer_name: 'ｶ)ﾃｼｶﾞﾜﾗｼﾖｳﾃﾝ' }), /crm_companies_search/, MOST, 10));

  test('by a name that is common', async () => {
    await reads(ask({ amount: '5500', payer_name: '東京商店' }), /crm_companies_search/, COMPANIES, 10);
  });

  test('by a name under which was paid before', () =>
    reads(ask({ amount: '1', payer_name: 'ﾔﾏﾀﾞ17' }), /invoicing_deposits_by_payer/, MOST));

  test('by the amount alone', () =>
    reads(ask({ amount: '5500' }), /invoicing_documents_open_by_balance/, MOST, 10));

  test('of companies by their open invoices', () =>
    reads(ask({ amount: '5500' }), /invoicing_documents_open_of_company/, MOST, 10));
});

describe('a preview of matches reads candidates', () => {
  test('of a page by name and by what was paid before', () =>
    reads(
      '/deposits/matches?limit=50&skip_total=true',
      /invoicing_deposits_by_payer/,
      // Of each deposit five companies by what was paid before, with forty open invoices each at the most.
      50 * 5 * 45,
      50,
    ));

  test('of companies by their names', () =>
    reads('/deposits/matches?limit=50&skip_total=true', /crm_companies_search/, 50 * 5 * 45, 50));
});

test('there are as many open invoices as said', async () => {
  const { body } = await client.get('/invoices?outstanding=true&limit=1');
  assert.equal(body.total, INVOICES);
});
