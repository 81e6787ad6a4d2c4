import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { TestActor } from '../support/actors.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';
import { seedCompanies } from '../support/many-records.ts';
import { type Plans, plannedApp } from '../support/plans.ts';

/** What a page of a book reads among 100,000 posted lines of two years, and drafts beside them. */
const LINES = 100_000;
const OTHERS = 20_000;
const YEARS = 2;
const PAGE = 100;

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
let companies: string[] = [];
let account_id = '';
let entries: string[] = [];
let lines: string[] = [];

before(async () => {
  const other = await app.actor();
  for (const each of [client, other]) {
    await each.post('/accounting/accounts/seed');
    for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year += 1) {
      const days = { start_date: `${year}-01-01`, end_date: `${year}-12-31` };
      assert.equal((await each.post('/accounting/fiscal-years', days)).status, 201);
    }
  }
  companies = await planned.fill(async () => {
    await seed(other.actor, OTHERS);
    return seed(client.actor, LINES);
  });
  const { organization_id } = client.actor;
  await app.database.withConnection(organization_id, async ({ query }) => {
    const [account] = await query<{ id: string }>(
      `SELECT account_id AS id FROM accounting_lines WHERE organization_id = $1
        GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
      [organization_id],
    );
    account_id = account!.id;
    const ids = async (table: string, narrowed: string, order: string) => {
      const text = `SELECT id FROM ${table} WHERE organization_id = $1 ${narrowed} ORDER BY ${order}`;
      return (await query<{ id: string }>(text, [organization_id])).map(({ id }) => id);
    };
    lines = await ids('accounting_lines', `AND account_id = '${account_id}'`, 'date, number, line');
    entries = await ids('accounting_journals', '', 'date, number');
  });
});

async function seed(owner: TestActor, count: number): Promise<string[]> {
  const own = await seedCompanies(app.database, owner, 100);
  await seedEntries(app.database, owner, { lines: count, years: YEARS, companies: own });
  return own;
}

const RANGE = `from=${FIRST_YEAR}-01-01&to=${FIRST_YEAR + YEARS - 1}-12-31`;

/** What a page reads; it must have so many entries or rows. */
async function reads(path: string, found: number): Promise<Plans> {
  const plans = await planned.plansOf(async () => {
    const reply = await client.get(`/accounting/reports/${path}`);
    assert.equal(reply.status, 200, reply.text);
    const { entries, rows = entries } = reply.body.report;
    assert.equal(rows.length, found);
  });
  for (const table of ['accounting_lines', 'accounting_journals', 'accounting_days', 'crm_companies']) {
    assert.equal(plans.whole.has(table), false, `${path} read all of ${table}`);
  }
  return plans;
}

/** The chart, the sums by month of one account and by day of half a month, twice; little beside the lines of an account. */
const SUMS = 600;

describe('the general ledger', () => {
  const ledger = () => `general-ledger?account_id=${account_id}&${RANGE}&limit=${PAGE}`;

  test('reads the lines of its page through the index of the ledger', async () => {
    assert.ok(lines.length > 500, `${lines.length}`);
    const { indexes, rows } = await reads(ledger(), PAGE);
    assert.ok(indexes.has('accounting_lines_ledger'), [...indexes].join());
    // A page with its entries, and the lines of those for the counter accounts.
    assert.ok(rows <= PAGE * 8 + SUMS, `${rows} rows`);
  });

  test('reads no more on its deepest page', async () => {
    const first = await reads(ledger(), PAGE);
    const deepest = await reads(`${ledger()}&starting_after=${lines.at(-PAGE - 1)}`, PAGE);
    assert.ok(deepest.indexes.has('accounting_lines_ledger'), [...deepest.indexes].join());
    assert.ok(deepest.indexes.has('accounting_lines_id_once'), [...deepest.indexes].join());
    assert.ok(deepest.rows <= first.rows * 1.5, `${deepest.rows} rows, ${first.rows} of the first page`);
  });

  test('of a company reads the sums and lines of its account alone', async () => {
    const { rows } = await reads(
      `${ledger()}&company_id=${companies[7]}`,
      Math.min(PAGE, await of(companies[7]!)),
    );
    assert.ok(rows <= lines.length + PAGE * 8 + SUMS, `${rows} rows`);
  });

  async function of(company_id: string): Promise<number> {
    const { organization_id } = client.actor;
    const [row] = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ count: number }>(
        `SELECT count(*)::int AS count FROM accounting_lines
          WHERE organization_id = $1 AND account_id = $2 AND company_id = $3`,
        [organization_id, account_id, company_id],
      ),
    );
    return row!.count;
  }
});

describe('the journal book', () => {
  const book = `journal-book?${RANGE}&limit=${PAGE}`;

  test('reads the entries of its page by date and number, at any depth', async () => {
    const first = await reads(book, PAGE);
    const deepest = await reads(`${book}&starting_after=${entries.at(-PAGE - 1)}`, PAGE);
    for (const { indexes } of [first, deepest]) {
      assert.ok(indexes.has('accounting_journals_book'), [...indexes].join());
    }
    assert.ok(deepest.rows <= first.rows * 1.1 + 10, `${deepest.rows} rows, ${first.rows} of the first page`);
    // The sums by month of all accounts, for the totals: those of both organizations, where the table is small.
    assert.ok(first.rows <= PAGE * 10 + 2 * 24 * 100 + SUMS, `${first.rows} rows`);
  });

  test('of an account goes along the lines of that account', async () => {
    const path = `${book}&account_id=${account_id}`;
    const { indexes, rows } = await reads(path, PAGE);
    assert.ok(indexes.has('accounting_lines_ledger'), [...indexes].join());
    assert.ok(rows <= PAGE * 10 + SUMS, `${rows} rows`);
  });

  test('of a company reads what that company has', async () => {
    const { rows } = await reads(`${book}&company_id=${companies[7]}`, PAGE);
    assert.ok(rows <= LINES / 4, `${rows} rows`);
  });
});
