import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysLater } from '../../shared/kernel/days.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { seedDocuments, seedPayments } from '../support/many-documents.ts';
import { seedCompanies } from '../support/many-records.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/**
 * What the lists of documents and payments and the dashboard read at 100,000 invoices in three organizations: the index
 * that serves it, and how many rows are looked at.
 */
const MANY = 80_000;
const OTHERS = 10_000;
const COMPANIES = 2_000;
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'invoicing_settings',
  'invoicing_images',
  'invoicing_links',
  'invoicing_prints',
  'invoicing_emails',
  'crm_aliases',
]);

const { app, ...planned } = await plannedApp();
const { database } = app;
const client = await app.actor();
const { companies, invoices, last_day } = await planned.fill(async () => {
  await seed(await newActor(database), OTHERS);
  await seed(await newActor(database), OTHERS);
  return seed(client.actor, MANY);
});

async function seed(owner: TestActor, count: number) {
  const own = await seedCompanies(database, owner, COMPANIES);
  const given = await seedDocuments(database, owner, 'invoice', { companies: own, count });
  const few = { companies: own, count: count / 4 };
  await seedDocuments(database, owner, 'quotation', few);
  await seedDocuments(database, owner, 'credit_note', { ...few, invoices: given.ids });
  await seedPayments(database, owner, given.ids);
  return { companies: own, invoices: given.ids, last_day: given.last_day };
}

function reads(path: string, index: RegExp, most: number, found: number): Promise<void> {
  return assertReads(planned, client, SMALL, { path, index, most, found });
}

const PAGE = 50 * 6;

describe('lists of documents read a page', () => {
  for (const kind of ['invoices', 'quotations'] as const) {
    test(`${kind}: the newest, and after a cursor`, async () => {
      await reads(`/${kind}?skip_total=true&limit=50`, /invoicing_documents_(by_kind|pkey)/, PAGE, 50);
      const middle = await client.get(`/${kind}?offset=9000&limit=1&skip_total=true`);
      const path = `/${kind}?limit=50&starting_after=${middle.body.items[0].id}`;
      await reads(path, /invoicing_documents_(by_kind|pkey)/, PAGE, 50);
    });
  }

  for (const [sort, index] of [
    ['issue_date:desc', /invoicing_documents_by_issue/],
    ['due_date:asc', /invoicing_documents_by_due/],
    ['number:asc', /invoicing_documents_number_once/],
    ['total:desc', /invoicing_documents_by_total/],
    ['balance:desc', /invoicing_documents_by_balance/],
    ['updated_at:desc', /invoicing_documents_by_change/],
  ] as const) {
    test(`invoices by ${sort}`, () => reads(`/invoices?sort=${sort}&cursor_mode=true`, index, PAGE * 3, 50));
  }

  test('open invoices by what is left of them', () =>
    reads(
      '/invoices?outstanding=true&sort=balance:desc&cursor_mode=true',
      /invoicing_documents_(open_)?by_balance/,
      PAGE * 3,
      50,
    ));

  test('a rare subject', async () => {
    const term = encodeURIComponent('勅使河原');
    await reads(`/invoices?search=${term}`, /invoicing_documents_search/, PAGE, MANY / 10_000);
    await reads(`/invoices?search=${encodeURIComponent('鑢山')}`, /invoicing_documents_search/, PAGE, 0);
  });
});

describe('filters of invoices read what they leave', () => {
  const ofCompany = MANY / COMPANIES;
  const month = (from: number, to: number, name: string) =>
    `${name}_from=${daysLater(last_day, from)}&${name}_to=${daysLater(last_day, to)}`;

  for (const [name, query, index, most] of [
    ['a status', 'status=cancelled', /invoicing_documents_(by_status|by_kind|pkey)/, 1_500],
    ['outstanding', 'outstanding=true', /invoicing_documents_(open|by_kind|pkey)/, 1_500],
    ['due soon', 'due_soon=true', /invoicing_documents_open/, 1_500],
    ['long overdue', 'ageing=91_plus', /invoicing_documents_(open|by_kind|pkey)/, 30_000],
    ['overdue for a month', 'ageing=1_30', /invoicing_documents_(open|by_due|by_kind|pkey)/, 10_000],
    ['overdue', 'overdue=true', /invoicing_documents_(open|by_kind|pkey)/, 10_000],
    ['issued in a week', month(-200, -194, 'issue_date'), /invoicing_documents_by_issue/, 1_500],
    ['due in a week', month(-200, -194, 'due_date'), /invoicing_documents_by_due/, 1_500],
    ['approved on a day', month(-1, -1, 'approved'), /invoicing_documents_(by_approval|by_kind|pkey)/, 6_000],
  ] as const) {
    test(name, () => reads(`/invoices?${query}&skip_total=true`, index, most, 50));
  }

  test('a company, with the total', () =>
    reads(`/invoices?company_id=${companies[77]}`, /invoicing_documents_by_company/, PAGE, ofCompany));

  test('quotations past their validity', () =>
    reads('/quotations?expired=true&skip_total=true', /invoicing_documents_/, 1_500, 20));
});

describe('documents', () => {
  test('the newest, with their total, after a cursor and by change', async () => {
    await reads('/invoices?skip_total=true', /invoicing_documents_by_kind/, PAGE, 50);
    await reads('/invoices', /invoicing_documents_by_/, MANY + PAGE, 50);
    await reads('/quotations?skip_total=true', /invoicing_documents_by_kind/, PAGE, 20);
    const middle = await client.get('/invoices?offset=40000&limit=1&skip_total=true');
    await reads(
      `/invoices?starting_after=${middle.body.items[0].id}`,
      /invoicing_documents_(by_kind|pkey)/,
      PAGE,
      50,
    );
    await reads('/invoices?sort=updated_at:desc&cursor_mode=true', /invoicing_documents_by_change/, PAGE, 50);
  });

  for (const [field, index] of [
    ['issue_date', /invoicing_documents_by_issue/],
    ['due_date', /invoicing_documents_by_due/],
    ['number', /invoicing_documents_number_once/],
    ['total', /invoicing_documents_by_total/],
  ] as const) {
    test(`sorted by ${field}, the first page and one after a cursor`, async () => {
      // Rows that tie in the field are sorted by the ID, so a page may read into a tie.
      await reads(`/invoices?sort=${field}:asc&cursor_mode=true`, index, MANY / 50, 50);
      const { body } = await client.get(`/invoices?sort=${field}:asc&cursor_mode=true`);
      await reads(`/invoices?sort=${field}:asc&starting_after=${body.data.at(-1).id}`, index, MANY, 50);
    });
  }

  test('filters read what they leave', async () => {
    const day = daysLater(last_day, -500);
    const ofDay = MANY / 1_000;
    await reads('/invoices?status=approved&skip_total=true', /_by_(status|kind)/, PAGE * 4, 50);
    await reads(`/invoices?company_id=${companies[77]}`, /_by_company/, PAGE * 2, MANY / COMPANIES);
    await reads(`/invoices?issue_date_from=${day}&issue_date_to=${day}`, /_by_issue/, ofDay * 6, 50);
    await reads(`/invoices?due_date_from=${day}&due_date_to=${day}`, /_by_due/, ofDay * 6, 50);
    await reads('/invoices?due_soon=true', /_by_due|_open/, MANY / 20, 50);
    await reads('/invoices?ageing=91_plus&skip_total=true', /_open|_by_/, MANY / 4, 50);
    const term = encodeURIComponent('勅使河原');
    await reads(`/invoices?search=${term}`, /invoicing_documents_search/, PAGE, MANY / 10_000);
    await reads(`/invoices?search=${term}&skip_total=true`, /invoicing_documents_search/, 2_000 + PAGE, 8);
  });
});

describe('payments', () => {
  test('the newest, after a cursor, by the day they came and by change', async () => {
    await reads('/payments?skip_total=true', /invoicing_payments_pkey/, PAGE, 50);
    const middle = await client.get('/payments?offset=40000&limit=1&skip_total=true');
    await reads(`/payments?starting_after=${middle.body.items[0].id}`, /invoicing_payments_pkey/, PAGE, 50);
    await reads('/payments?sort=paid_at:desc&cursor_mode=true', /invoicing_payments_by_time/, PAGE, 50);
    await reads('/payments?sort=updated_at:desc&cursor_mode=true', /invoicing_payments_by_change/, PAGE, 50);
  });

  test('of an invoice, of a company, of a day', async () => {
    await reads(`/invoices/${invoices[77]}/payments`, /invoicing_payments_by_invoice/, PAGE, 1);
    const ofCompany = MANY / COMPANIES;
    await reads(
      `/payments?company_id=${companies[77]}`,
      /invoicing_payments_by_invoice/,
      ofCompany * 12,
      ofCompany,
    );
    const day = daysLater(last_day, -500);
    await reads(`/payments?paid_from=${day}&paid_to=${day}`, /invoicing_payments_by_day/, PAGE, 50);
  });
});

describe('credit notes', () => {
  test('the newest, of an invoice, of a company, by search', async () => {
    await reads('/credit-notes?skip_total=true', /invoicing_documents_(by_kind|pkey)/, PAGE, 50);
    await reads(`/invoices/${invoices[77]}/credit-notes`, /invoicing_documents_of_invoice/, PAGE, 1);
    const ofCompany = MANY / 4 / COMPANIES;
    await reads(
      `/credit-notes?company_id=${companies[77]}`,
      /invoicing_documents_by_company/,
      PAGE,
      ofCompany,
    );
    const term = encodeURIComponent('勅使河原');
    await reads(`/credit-notes?search=${term}`, /invoicing_documents_search/, PAGE, MANY / 4 / 10_000);
  });
});

describe('the dashboard', () => {
  for (const [name, query, most] of [
    ['of all times', '', MANY * 4],
    ['of a year', `?from=${daysLater(last_day, -365)}&to=${last_day}`, MANY * 2],
    ['of a month', `?from=${daysLater(last_day, -60)}&to=${daysLater(last_day, -30)}`, MANY * 2],
  ] as const) {
    test(`${name} reads indexes alone, and no row of an invoice or a payment`, async () => {
      const { indexes, fetched, rows } = await planned.plansOf(async () => {
        const reply = await client.get(`/invoices/dashboard${query}`);
        assert.equal(reply.status, 200, reply.text);
      });
      assert.ok(indexes.has('invoicing_documents_by_issue'), [...indexes].join());
      assert.ok(indexes.has('invoicing_payments_by_day'), [...indexes].join());
      assert.equal(fetched.has('invoicing_documents'), false, [...indexes].join());
      assert.equal(fetched.has('invoicing_payments'), false, [...indexes].join());
      assert.ok(rows <= most, `${rows} rows`);
    });
  }
});
