import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { endOfDocuments, importedDocuments } from '../support/document-imports.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { until } from '../support/until.ts';
import { formWith } from '../support/uploads.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const start = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
    '--queues',
    'csv-import',
  ]);

const ROWS = Number(process.env['KILLED_ROWS'] ?? 3_000);
const KILLS = Number(process.env['KILLS'] ?? 2);
/** Lines of most documents; one has the most that there may be, so that it lies across every size of chunk. */
const LINES = 3;
const LONG = 1_000;
const COUNT = Math.ceil((ROWS - LONG) / LINES);
/** Where the long one stands. */
const AT = Math.floor(COUNT / 2);

/** Documents of which one in twenty has a line without price. */
function file(): string {
  const rows = Array.from({ length: COUNT }, (_, n) =>
    Array.from({ length: n === AT ? LONG : LINES }, (_, line) => {
      const head = line === 0 ? `K${n},株式会社山田商店,2026-04-30` : `K${n},,`;
      return `${head},品${line},${line + 1},${n % 20 === 7 && line === 1 ? '' : n + 1}`;
    }),
  );
  return ['external_id,company_name,issue_date,description,quantity,unit_price', ...rows.flat()].join('\r\n');
}

/** What the organization has, without what differs from run to run. */
function kept(seller: Seller): Promise<Shown[]> {
  return app.database.withConnection(seller.organization_id, ({ query }) =>
    query(
      `SELECT external_id, number, status, total, (SELECT count(*)::integer FROM invoicing_lines AS line
          WHERE line.organization_id = $1 AND document_id = document.id) AS lines
         FROM invoicing_documents AS document WHERE organization_id = $1 ORDER BY id`,
      [seller.organization_id],
    ),
  );
}

const counts = ({ status, document_count, created_count, error_count, total_rows }: Shown) => {
  return { status, document_count, created_count, error_count, total_rows };
};

test(`an import of quotations whose workers are killed ${KILLS} times leaves each once and whole`, async () => {
  let workers = await start();
  const [calm, killed] = [await newSeller(app), await newSeller(app)];
  const expected = await importedDocuments(calm, 'quotation', file());
  const begun = await killed.post('/quotations/import', formWith(file()));
  const { id } = begun.body.import;
  for (let count = 0; count < KILLS; count += 1) {
    const target = (ROWS * (count + Math.random())) / (KILLS + 1);
    await until(
      'the import goes on',
      async () => {
        const { processed_rows, finished_at } = (await killed.get(`/quotations/imports/${id}`)).body.import;
        return processed_rows >= target || finished_at !== null;
      },
      300_000,
    );
    await workers.kill();
    workers = await start();
  }
  const done = await endOfDocuments(killed, 'quotation', id);
  assert.deepEqual(counts(done), counts(expected));
  const good = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 20 !== 7);
  assert.equal(done.document_count, good.length);
  const made = await kept(killed);
  assert.deepEqual(made, await kept(calm));
  // Each has its number from its making: in the order of the file, without a hole where a worker died.
  assert.deepEqual(
    made.map(({ external_id, number, lines }) => [external_id, number, lines]),
    good.map((n, place) => [
      `K${n}`,
      `QUO-2026-${String(place + 1).padStart(4, '0')}`,
      n === AT ? LONG : LINES,
    ]),
  );
  await workers.kill();
});

test('two imports of one file at once make each document once', async () => {
  const workers = [await start(), await start()];
  const seller = await newSeller(app);
  const both = await Promise.all([file(), file()].map((text) => importedDocuments(seller, 'invoice', text)));
  const made = await kept(seller);
  assert.equal(new Set(made.map(({ external_id }) => external_id)).size, made.length);
  assert.equal(
    both.reduce((sum, one) => sum + one.document_count, 0),
    made.length,
  );
  const rows = both.map(({ created_count, updated_count, unchanged_count, error_count, total_rows }) => [
    created_count + updated_count + unchanged_count + error_count,
    total_rows,
  ]);
  for (const [sum, total] of rows) assert.equal(sum, total);
  for (const one of workers) await one.kill();
});
