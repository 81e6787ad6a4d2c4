import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { reportFileOf, reportOf } from '../support/book-reports.ts';
import { assertRollups, type Books, newBooks } from '../support/books.ts';
import { bookExampleYear } from '../support/example-year.ts';
import { endOf, imported } from '../support/journal-imports.ts';
import { until } from '../support/until.ts';
import { formWith } from '../support/uploads.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const start = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
    '--queues',
    'csv-import,report-export',
  ]);

/** What the books say, without IDs. */
async function sumsOf(books: Books): Promise<unknown> {
  const { rows, totals } = await reportOf(books, `trial-balance?fiscal_year_id=${books.year.id}`);
  const companies = await reportOf(books, `trial-balance?fiscal_year_id=${books.year.id}&group_by=company`);
  const tax = await reportOf(books, `consumption-tax?fiscal_year_id=${books.year.id}`);
  return {
    accounts: rows.map(({ code, opening, debit, credit, closing }: Shown) => [
      code,
      opening,
      debit,
      credit,
      closing,
    ]),
    totals,
    companies: companies.rows.map(({ code, breakdown }: Shown) => [
      code,
      breakdown.map(({ name, debit, credit }: Shown) => [name, debit, credit]).toSorted(),
    ]),
    tax: tax.rows.map(({ tax_category, net, tax }: Shown) => [tax_category, net, tax]),
  };
}

test('the CSV of a journal book comes in again as the same books', async () => {
  const workers = await start();
  const [books, copy] = [await newBooks(app), await newBooks(app)];
  await bookExampleYear(books);
  for (const [place, name] of ['=cmd(),"山田"', '同名商事', '同名商事'].entries()) {
    const { company } = (await books.post('/crm/companies', { name })).body;
    if (place < 2) await copy.post('/crm/companies', { name });
    await books.post_entry(
      '2025-11-11',
      [
        ['1220', 1_000 + place, { company_id: place < 2 ? company.id : undefined, description: '+1' }],
        ['4110', -1_000 - place, { tax_category: 'S10' }],
      ],
      { description: `=cmd()|x\n${place}`, reference: place === 0 ? '-1' : undefined },
    );
  }
  const path = `journal-book?fiscal_year_id=${books.year.id}&format=csv`;
  const text = (await reportFileOf(app, books, path)).bytes
    .toString()
    // Of two companies with one name the file has the IDs; the copy has one of them.
    .replaceAll(/同名商事 \(comp_\w+\)/g, '同名商事');
  const done = await imported(copy, text, { post: 'true' });
  assert.deepEqual([done.status, done.error_count, done.journal_count > 10], ['completed', 0, true]);
  assert.deepEqual(await sumsOf(copy), await sumsOf(books));
  const shown = async (of: Books) =>
    (await reportOf(of, `journal-book?fiscal_year_id=${of.year.id}&limit=200`)).entries.map(
      ({ date, number, kind, description, reference, lines }: Shown) => [
        date,
        kind === 'reversal' ? 'normal' : kind,
        description,
        reference ?? String(number),
        lines.map((line: Shown) => [
          line.account_code,
          line.debit,
          line.credit,
          line.tax_category,
          line.description,
        ]),
      ],
    );
  assert.deepEqual(await shown(copy), await shown(books));
  await assertRollups(app, copy);
  await workers.kill();
});

const ENTRIES = Number(process.env['KILLED_ROWS'] ?? 3_000) / 3;
const KILLS = Number(process.env['KILLS'] ?? 2);

/** Entries of three rows each, of which one in twenty does not balance. */
function file(): string {
  const rows = Array.from({ length: ENTRIES }, (_, n) => {
    const date = `2025-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
    const credit = n % 20 === 7 ? 3 * n + 4 : 3 * n + 3;
    return [
      `${date},${n},6250,${n + 1},,${n}`,
      `${date},${n},6310,${2 * n + 2},,${n}`,
      `${date},${n},1110,,${credit},${n}`,
    ].join('\r\n');
  });
  return ['date,number,account_code,debit,credit,description', ...rows].join('\r\n');
}

test(`an import that posts, whose workers are killed ${KILLS} times, leaves every entry once and whole`, async () => {
  let workers = await start();
  const [calm, killed] = [await newBooks(app), await newBooks(app)];
  const expected = await imported(calm, file(), { post: 'true' });
  const begun = await killed.post('/accounting/journals/import', formWith(file(), { post: 'true' }));
  const { id } = begun.body.import;
  for (let count = 0; count < KILLS; count += 1) {
    const target = (3 * ENTRIES * (count + Math.random())) / (KILLS + 1);
    await until(
      'the import goes on',
      async () => {
        const [row] = await app.database.withConnection(killed.organization_id, ({ query }) =>
          query<{ processed_rows: number; finished_at: string | null }>(
            'SELECT processed_rows, finished_at FROM imports WHERE organization_id = $1 AND id = $2',
            [killed.organization_id, id],
          ),
        );
        return row!.processed_rows >= target || row!.finished_at !== null;
      },
      300_000,
    );
    await workers.kill();
    workers = await start();
  }
  const done = await endOf(killed, id);
  const counts = ({ status, journal_count, created_count, error_count, total_rows }: Shown) => {
    return { status, journal_count, created_count, error_count, total_rows };
  };
  assert.deepEqual(counts(done), counts(expected));
  assert.equal(done.journal_count, ENTRIES - ENTRIES / 20);
  const kept = await app.database.withConnection(killed.organization_id, ({ query }) =>
    query<{ number: number; reference: string; line_count: number }>(
      `SELECT number, reference, line_count FROM accounting_journals WHERE organization_id = $1 ORDER BY number`,
      [killed.organization_id],
    ),
  );
  const good = Array.from({ length: ENTRIES }, (_, n) => n).filter((n) => n % 20 !== 7);
  assert.deepEqual(
    kept,
    good.map((n, place) => ({ number: place + 1, reference: String(n), line_count: 3 })),
  );
  await assertRollups(app, killed);
  await workers.kill();
});
