import { describe, test } from 'node:test';
import { daysLater } from '../../shared/kernel/days.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedReceived } from '../support/many-received.ts';
import { seedCompanies } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/**
 * What the lists of received documents, the dashboard and what is due read at 100,000 invoices in two organizations: the
 * index that serves it, and how many rows are looked at.
 */
const MANY = 80_000;
const OTHERS = 20_000;
const COMPANIES = 500;
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'invoicing_settings',
  'invoicing_images',
  'invoicing_links',
  'received_settings',
  'received_lines',
  'received_files',
  'received_claims',
  'received_payments',
  'received_tax_rules',
  'accounting_fiscal_years',
  'accounting_journals',
  'accounting_retention_rules',
  'crm_aliases',
]);

const planned = await plannedApp();
const { app } = planned;
const { database } = app;
const client = await app.actor();
const companies = await planned.fill(async () => {
  await seed(await newActor(database), OTHERS);
  return seed(client.actor, MANY);
});
const today = new Date().toISOString().slice(0, 10);

/** That of the 777th invoice, which was issued in the first days. */
const NUMBER = `${daysLater(today, -991).slice(0, 4)}-777`;

async function seed(owner: TestActor, count: number): Promise<string[]> {
  const own = await seedCompanies(database, owner, COMPANIES);
  await seedReceived(database, owner, 'invoice', { companies: own, count });
  await seedReceived(database, owner, 'delivery_note', { companies: own, count: count / 10 });
  return own;
}

/** Rows of a page of 50, each read by its ID, with what is alike to it. */
const PAGE = 51 * 8;

function reads(what: string, path: string, index: RegExp, found: number, most = PAGE): void {
  const page = `${path}${path.includes('?') ? '&' : '?'}skip_total=true&limit=50`;
  test(what, () => assertReads(planned, client, SMALL, { path: page, index, most, found }));
}

describe('the list of received invoices reads', () => {
  const path = '/received-invoices';
  reads('the newest', path, /received_documents_(by_kind|pkey)/, 50);
  for (const [sort, index] of [
    ['issue_date:desc', /by_issue/],
    ['due_date:asc', /by_due/],
    ['transaction_date:desc', /by_day/],
    ['total:asc', /by_total/],
    ['number:desc', /by_number/],
    ['updated_at:desc', /by_change/],
  ] as const) {
    reads(`a page by ${sort}`, `${path}?sort=${sort}`, index, 50);
  }
  reads('those of a status', `${path}?status=partially_paid`, /by_status/, 30);
  reads('those of a company', `${path}?company_id=${companies[7]}`, /by_company/, 50, PAGE * 2);
  reads('those of a day', `${path}?issue_date_from=${today}`, /by_issue/, 0);
  reads(
    'those of a number',
    `${path}?search=${daysLater(today, -900).slice(0, 4)}-777`,
    /search/,
    11,
    2_000 + PAGE,
  );
  reads('those that bear a number', `${path}?number=${NUMBER}`, /by_number/, 1);
  reads('those with a rare word', `${path}?search=${encodeURI('勅使河原')}`, /search/, 8, 2_000 + PAGE);
  reads('those that are late', `${path}?overdue=true`, /received_documents_(due|by_status)/, 0);
  reads('those with a file', `${path}?sha256=${'0'.repeat(64)}`, /received_documents_(by_kind|pkey)/, 0);
  reads('those that lack something', `${path}?incomplete=true`, /incomplete/, 0);
});

describe('the list of all kinds reads', () => {
  const path = '/receive/documents';
  reads('the newest', path, /any_by_making/, 50);
  reads('a page by date', `${path}?sort=transaction_date:desc`, /received_documents_by_day/, 50);
  for (const [sort, index] of [
    ['issue_date:asc', /received_documents_by_issue/],
    ['due_date:desc', /received_documents_by_due/],
    ['number:asc', /received_documents_by_number/],
    ['total:desc', /received_documents_by_total/],
    ['updated_at:desc', /by_change/],
  ] as const) {
    reads(`a page by ${sort}`, `${path}?sort=${sort}`, index, 50);
  }
  reads('those of a day', `${path}?transaction_date_from=${today}`, /received_documents_by_day/, 0);
  reads('those that bear a number', `${path}?kind=invoice&number=${NUMBER}`, /by_number/, 1);
  reads('those with keys of callers', `${path}?external_id=K-10,K-20,K-30`, /external_id_once/, 6);
  reads(
    'those of a rare partner',
    `${path}?partner=${encodeURI('勅使河原')}`,
    /received_documents_(search|by_company)/,
    50,
    PAGE * 3,
  );
});

describe('what is due reads the unpaid invoices alone', () => {
  const path = '/received-invoices/due';
  for (const query of ['', `?to=${today}`, '?group_by=company', `?to=${today}&group_by=company`]) {
    test(`${path}${query}`, () =>
      assertReads(planned, client, SMALL, {
        path: `${path}${query}`,
        index: /received_documents_due/,
        most: 2_000,
      }));
  }
});
