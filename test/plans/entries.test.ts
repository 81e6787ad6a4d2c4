import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import type { TestActor } from '../support/actors.ts';
import { linesOf } from '../support/books.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';
import { seedCompanies } from '../support/many-records.ts';
import { assertReads, plannedApp, type Reading } from '../support/plans.ts';

/** What pages of entries and of evidence read among 25,000 entries and 20,000 documents of one organization. */
const LINES = 100_000;
const OTHERS = 20_000;
const DOCUMENTS = 20_000;
const RARE = 5;

/** Tables that an organization has some hundred rows of at most. */
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'accounting_settings',
  'accounting_fiscal_years',
  'accounting_accounts',
  'accounting_approvals',
  'accounting_document_links',
  'accounting_filed_sources',
  'accounting_retention_rules',
  'invoicing_settings',
  'crm_aliases',
  'crm_companies',
]);

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
let companies: string[] = [];
let year_id = '';
let account_id = '';

before(async () => {
  const other = await app.actor();
  for (const each of [client, other]) {
    await each.post('/accounting/accounts/seed');
    const made = await each.post('/accounting/fiscal-years', {
      start_date: `${FIRST_YEAR}-01-01`,
      end_date: `${FIRST_YEAR}-12-31`,
    });
    assert.equal(made.status, 201);
    if (each === client) year_id = made.body.fiscal_year.id;
  }
  companies = await planned.fill(async () => {
    await seed(other.actor, OTHERS);
    const own = await seed(client.actor, LINES);
    await rareEntries();
    return own;
  });
  account_id = (await client.get('/accounting/accounts?code=1110')).body.items[0].id;
});

async function seed(owner: TestActor, count: number): Promise<string[]> {
  const own = await seedCompanies(app.database, owner, 100);
  await seedEntries(app.database, owner, { lines: count, years: 1, companies: own, accounts: 90 });
  await seedDocuments(owner, DOCUMENTS);
  return own;
}

/** Drafts of a category that no other entry has, some linked to evidence. */
async function rareEntries(): Promise<void> {
  for (let n = 0; n < RARE; n += 1) {
    const made = await client.post('/accounting/journals', {
      date: `${FIRST_YEAR}-05-05`,
      description: `珍品${n}`,
      lines: linesOf([
        ['6340', 9_000_000_000 + n, { tax_category: 'P8' }],
        ['1110', -9_000_000_000 - n],
      ]),
    });
    assert.equal(made.status, 201, made.text);
  }
  await app.database.withConnection(client.actor.organization_id, ({ query }) =>
    query(
      `INSERT INTO accounting_document_links (organization_id, document_id, journal_id, created_by, created_at)
       SELECT $1, document.id, journal.id, NULL, now() FROM (
         SELECT id, row_number() OVER (ORDER BY id) AS n FROM accounting_journals
          WHERE organization_id = $1 AND status = 'draft') AS journal
         JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM accounting_documents
                WHERE organization_id = $1 LIMIT ${RARE}) AS document USING (n)`,
      [client.actor.organization_id],
    ),
  );
}

/** Documents of a file each, the same number on each day of a year; one in four thousand is of a rare partner. */
async function seedDocuments({ organization_id, user_id }: TestActor, count: number): Promise<void> {
  const [usual, rare] = ['株式会社港文具', '珍商店'];
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `WITH row AS (
         SELECT n, 'adoc_' || lpad(n::text, 26, '0') AS id, n % 4000 = 7 AS is_rare FROM generate_series(1, $2::int) AS n
       ), made AS (
         INSERT INTO accounting_documents (organization_id, id, document_type, direction, transaction_date, amount,
           partner_name, registration_number, received_via, status, metadata, version, uploaded_by, partner_text,
           partner_grams, search_text, search_grams, created_at, updated_at)
         SELECT $1, id, 'receipt', 'received', '2021-01-01'::date + n % 365, n * 10,
           CASE WHEN is_rare THEN $5 ELSE $4 END, CASE WHEN is_rare THEN 'T7000012050002' END, 'upload', 'active', '{}', 1,
           $3, CASE WHEN is_rare THEN $5 ELSE $4 END, CASE WHEN is_rare THEN $7::int[] ELSE $6::int[] END,
           CASE WHEN is_rare THEN $5 ELSE $4 END, CASE WHEN is_rare THEN $7::int[] ELSE $6::int[] END,
           now() + n * interval '1 ms', now() + n * interval '1 ms'
           FROM row RETURNING 1)
       INSERT INTO accounting_document_versions (organization_id, document_id, version, storage_key, file_name, content_type,
         size_bytes, sha256, uploaded_by, created_at)
       SELECT $1, id, 1, 'k/' || id, 'a.pdf', 'application/pdf', 100, lpad(n::text, 64, '0'), $3, now() FROM row`,
      [organization_id, count, user_id, usual, rare, gramsOf(usual), gramsOf(rare)],
      { prepared: false },
    ),
  );
}

/** Rows of a page of 50: its entries and their lines, evidence, approvals, the chart, twice over. */
const PAGE = 50 * (1 + 4 + 2) * 2 + 300;

/** A search looks at this many of the newest rows before it asks the index of letters. */
const NEWEST = 2_000;

function reads(what: string, reading: () => Reading): void {
  test(what, () => assertReads(planned, client, SMALL, reading()));
}

describe('the list of entries', () => {
  const path = (query: string) => `/accounting/journals?skip_total=true&limit=50&${query}`;
  const of = (query: string, index: RegExp, found: number, most = PAGE): Reading => ({
    path: path(query),
    index,
    most,
    found,
  });

  reads('reads its newest page by their IDs', () => of('', /accounting_journals_pkey/, 50));
  reads('by number reads a page of the year', () =>
    of(`fiscal_year_id=${year_id}&status=posted&sort=number:asc`, /number_once|_book/, 50),
  );
  reads('by date reads the days asked for', () =>
    of(`date_from=${FIRST_YEAR}-03-01&date_to=${FIRST_YEAR}-03-31&sort=date:asc`, /by_date|_book/, 50),
  );
  reads('of large amounts reads those', () => of('amount_min=9000000000', /by_total/, RARE));
  reads('of drafts reads what is not posted', () =>
    of('status=draft&sort=date:asc', /unposted|by_date/, RARE),
  );
  reads('of a category reads the lines of the category', () => of('tax_category=P8', /by_category/, RARE));
  reads('of an account reads entries until a page is full', () =>
    of(`account_id=${account_id}`, /./, 50, 25_000),
  );
  reads('of a company reads entries until a page is full, or its lines', () =>
    of(`company_id=${companies[7]}`, /./, 50, 40_000),
  );
  reads('with evidence reads the links', () => of('has_document=true', /accounting_journals_pkey/, RARE));
  reads('of a source reads its entries', () => of('source_id=inv_x', /by_source|source_once/, 0));
  reads('that a rare word is in reads those', () =>
    of(`search=${encodeURIComponent('珍品')}`, /journals_search/, RARE, NEWEST + PAGE),
  );
  reads('of a number reads that', () => of(`search=4711&fiscal_year_id=${year_id}`, /./, 1, 30_000));
});

describe('the list of evidence', () => {
  const path = (query: string) => `/accounting/documents?skip_total=true&limit=50&${query}`;
  const of = (query: string, index: RegExp, found: number, most = PAGE): Reading => ({
    path: path(query),
    index,
    most,
    found,
  });

  reads('reads its newest page by their IDs', () => of('', /accounting_documents_pkey/, 50));
  reads('by date reads the days asked for', () =>
    of('date_from=2021-03-01&date_to=2021-03-31&sort=transaction_date:asc', /by_date/, 50),
  );
  reads('of some amounts reads those', () => of('amount_min=199960', /by_amount/, RARE));
  reads('of a registration number reads those', () =>
    of('registration_number=T7000012050002', /by_registration/, RARE),
  );
  reads('of a rare partner reads those', () =>
    of(`partner=${encodeURIComponent('珍商店')}`, /documents_partner/, RARE),
  );
  reads('that a rare word is in reads those', () =>
    of(`search=${encodeURIComponent('珍商店')}`, /documents_search/, RARE),
  );
  reads('that entries are linked to reads the links', () =>
    of('linked=true', /document_links|documents_pkey/, RARE),
  );
});
