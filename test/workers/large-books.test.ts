import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { launcher, nodeFlags } from '../../start/launch.ts';
import { openLogs } from '../../start/logs.ts';
import { supervise } from '../../start/supervise.ts';
import { startApp } from '../support/app.ts';
import { FIRST_YEAR, seedEntries } from '../support/many-entries.ts';

/** Lines of the books, on four accounts: as objects they need several times this memory. */
const LINES = 200_000;
const HEAP = 96;

const app = await startApp();
const client = await app.actor();
await client.post('/accounting/accounts/seed');
const days = { start_date: `${FIRST_YEAR}-01-01`, end_date: `${FIRST_YEAR}-12-31` };
const made = await client.post('/accounting/fiscal-years', days);
assert.equal(made.status, 201, made.text);
const company = await client.post('/crm/companies', { name: '株式会社山田商店' });
await seedEntries(app.database, client.actor, {
  lines: LINES,
  years: 1,
  accounts: 4,
  companies: [company.body.company.id],
});

let log = '';
const written = new PassThrough();
written.on('data', (part) => {
  log += part;
});
const environment = {
  ...process.env,
  DATABASE_URL: app.database_url,
  DATA_DIR: app.context.settings.dataDir,
  AUTH_SECRET: 'a secret of the tests, long enough',
};
const program = resolve(import.meta.dirname, '../../workers/main.ts');
const workers = supervise(
  'workers',
  launcher(program, environment, { words: ['--queues', 'report-export'], flags: nodeFlags({ heap: HEAP }) }),
  openLogs(written as unknown as NodeJS.WriteStream),
);
after(() => workers.end(20_000));
await workers.ready;

async function fileOf(path: string): Promise<Buffer> {
  for (;;) {
    const reply = await fetch(`${app.base_url}/api/v1/accounting/reports/${path}`, {
      headers: { Authorization: `Bearer ${client.actor.secret}` },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.ok([200, 202].includes(reply.status), bytes.toString());
    assert.doesNotMatch(log, /is started again/);
    if (reply.status === 200) return bytes;
  }
}

/** The cells of these files, in which no text has a comma. */
function linesOf(csv: Buffer): string[][] {
  const [, ...lines] = csv.toString().trimEnd().split('\r\n');
  return lines.map((line) => line.split(','));
}

const YEAR = `from=${FIRST_YEAR}-01-01&to=${FIRST_YEAR}-12-31`;

test('files of books that do not fit into memory are written while they are read', async () => {
  const { totals } = (await client.get(`/accounting/reports/journal-book?${YEAR}&limit=1`)).body.report;
  const book = linesOf(await fileOf(`journal-book?${YEAR}&format=csv`));
  assert.equal(book.length, LINES);
  const sum = (at: number) => book.reduce((sum, cells) => sum + Number(cells[at]), 0);
  assert.deepEqual({ debit: sum(8), credit: sum(9) }, totals);
  const journal = (await fileOf(`journal-book?${YEAR}&format=hledger`)).toString();
  assert.equal(journal.match(/ JPY /g)!.length, LINES);
  const code = book[0]![6];
  const path = `general-ledger?${YEAR}&account_code=${code}`;
  const { closing } = (await client.get(`/accounting/reports/${path}&limit=1`)).body.report;
  const ledger = linesOf(await fileOf(`${path}&format=csv`));
  assert.equal(ledger.length, book.filter((cells) => cells[6] === code).length + 2);
  assert.deepEqual(
    ledger.slice(-2).map((cells) => Number(cells.at(-1))),
    [closing, closing],
  );
});

test('books of more than 20,000 lines are not printed', async () => {
  const codes = await Promise.all(
    ['journal-book?', 'general-ledger?account_code=1110&'].map(async (path) => {
      const reply = await client.get(`/accounting/reports/${path}${YEAR}&format=pdf`);
      return [reply.status, reply.body.code];
    }),
  );
  assert.deepEqual(codes, [
    [422, 'too_many_rows'],
    [422, 'too_many_rows'],
  ]);
});
