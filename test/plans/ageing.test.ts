import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysLater } from '../../shared/kernel/days.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedDocuments, seedPayments } from '../support/many-documents.ts';
import { seedCompanies } from '../support/many-records.ts';
import { type Plans, plannedApp } from '../support/plans.ts';

/** What the report of ages reads at 100,000 invoices in two organizations, a fifth of which are not paid. */
const MANY = 90_000;
const OTHERS = 10_000;
const COMPANIES = 2_000;

const { app, ...planned } = await plannedApp();
const client = await app.actor();
const companies = await planned.fill(async () => {
  await seed(await newActor(app.database), OTHERS);
  return seed(client.actor, MANY);
});

async function seed(owner: TestActor, count: number): Promise<string[]> {
  const own = await seedCompanies(app.database, owner, COMPANIES);
  const { ids } = await seedDocuments(app.database, owner, 'invoice', { companies: own, count });
  await seedPayments(app.database, owner, ids);
  return own;
}

async function reads(query: string, path = 'ageing'): Promise<Plans> {
  const plans = await planned.plansOf(async () => {
    const reply = await client.get(`/invoices/${path}${query}`);
    assert.equal(reply.status, 200, reply.text);
  });
  assert.equal(plans.whole.has('invoicing_documents'), false);
  return plans;
}

describe('the report of ages', () => {
  test('reads the index of open invoices alone, and no row of an invoice', async () => {
    const { indexes, fetched, rows } = await reads('');
    assert.ok(indexes.has('invoicing_documents_open'), [...indexes].join());
    assert.equal(fetched.has('invoicing_documents'), false, [...indexes].join());
    // The open invoices and the companies, once.
    assert.ok(rows <= MANY / 4 + 2 * COMPANIES, `${rows} rows`);
  });

  test('of one company reads the invoices of that company', async () => {
    const { indexes, rows } = await reads(`?company_id=${companies[77]}`);
    assert.ok(indexes.has('invoicing_documents_open_of_company'), [...indexes].join());
    assert.ok(rows <= 10 * (MANY / COMPANIES), `${rows} rows`);
  });
});

describe('what was open on a day of the last month', () => {
  const day = daysLater(new Date().toISOString().slice(0, 10), -30);
  // What is open, what was settled since with its payments, and what was cancelled: a third, looked at once.
  const ONCE = 0.4 * MANY;

  test('reads what is open and what was settled since, once for a report', async () => {
    const { indexes, rows } = await reads(`?as_of=${day}`);
    assert.ok(indexes.has('invoicing_payments_by_day'), [...indexes].join());
    assert.ok(rows <= ONCE + 2 * COMPANIES, `${rows} rows`);
  });

  test('and once for a dashboard, beside all that was issued and a year of payments', async () => {
    const { rows } = await reads(`?as_of=${day}`, 'dashboard');
    assert.ok(rows <= ONCE + 1.4 * MANY, `${rows} rows`);
  });
});
