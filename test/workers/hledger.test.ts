import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { rowsOf } from '../support/exports.ts';
import { codeOf, type Judge, judged, yenOf } from '../support/hledger.ts';
import { bookRandomYear, removeUnposted } from '../support/random-year.ts';
import { startWorkers } from '../support/workers.ts';

/**
 * Programs that others wrote reckon the books anew from their own export: every figure of the reports is theirs, before
 * the year is closed, behind the close, and after it was opened and closed again.
 */
const ENTRIES = 1_000;
const SEED = Number(process.env['SEED'] ?? 20_250_401);

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const books = await bookRandomYear(app, ENTRIES, SEED);
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'report-export',
]);
const YEAR = `fiscal_year_id=${books.year.id}`;

async function fileOf(path: string): Promise<Buffer> {
  for (;;) {
    const reply = await fetch(`${app.base_url}/api/v1/accounting/reports/${path}`, {
      headers: { Authorization: `Bearer ${books.actor.secret}` },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.ok([200, 202].includes(reply.status), bytes.toString());
    if (reply.status === 200) return bytes;
  }
}

async function reportOf(path: string): Promise<Shown> {
  const reply = await books.get(`/accounting/reports/${path}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.report;
}

/** What is not zero, by its key. */
const present = (pairs: readonly (readonly [string, number])[]) =>
  Object.fromEntries(
    pairs.filter(([, amount]) => amount !== 0).sort(([one], [other]) => (one < other ? -1 : 1)),
  );

const NO_CLOSING = 'not:tag:kind=closing';

/** The balances of all accounts by hledger. */
const balancesBy = ({ hledger }: Judge, ...words: string[]) =>
  present(
    hledger('bal', '-N', '--flat', ...words)
      .slice(1)
      .map(([account, amount]) => [codeOf(account), yenOf(amount)] as const),
  );

async function assertTrialBalance(by: Judge): Promise<void> {
  for (const [choice, words] of [
    ['include', []],
    ['exclude', [NO_CLOSING]],
  ] as const) {
    const { rows } = await reportOf(`trial-balance?${YEAR}&closing_entries=${choice}`);
    assert.deepEqual(
      present(rows.map(({ code, closing }: Shown) => [code, closing])),
      balancesBy(by, ...words),
    );
  }
  const [include, days] = ['closing_entries=include', 'from=2025-01-01&to=2025-08-17'];
  const { rows } = await reportOf(`trial-balance?${days}&${include}`);
  assert.deepEqual(
    present(rows.map(({ code, closing }: Shown) => [code, closing])),
    balancesBy(by, '-e', '2025-08-18'),
  );
  const ledger = [...by.ledger()].map(([account, amount]) => [codeOf(account), amount] as const);
  assert.deepEqual(present(ledger), balancesBy(by));
  const { totals } = await reportOf(`trial-balance?${YEAR}&${include}&group_by=company`);
  assert.deepEqual(
    present(totals.breakdown.map(({ id, closing }: Shown) => [id ?? '', closing])),
    present(
      by
        .hledger('bal', '-N', '--pivot', 'company')
        .slice(1)
        .map(([company, amount]) => [company!, yenOf(amount)] as const),
    ),
  );
}

/** The accounts and the total of each part of a statement of hledger's: the amounts of all columns. */
function statementBy(rows: readonly string[][]) {
  const parts = new Map<string, { accounts: Record<string, number[]>; total: number[] }>();
  let part = { accounts: {} as Record<string, number[]>, total: [] as number[] };
  for (const [name = '', ...cells] of rows.slice(2)) {
    if (name === 'Net:') break;
    if (cells.every((cell) => cell === '')) {
      part = { accounts: {}, total: [] };
      parts.set(name, part);
    } else if (name === 'total') part.total = cells.map(yenOf);
    else part.accounts[codeOf(name)] = cells.map(yenOf);
  }
  return (name: string) => parts.get(name)!;
}

async function assertBalanceSheet({ hledger }: Judge): Promise<void> {
  const { lines, totals } = await reportOf(`balance-sheet?${YEAR}&closing_entries=include`);
  const of = statementBy(hledger('bse'));
  const amounts = (first: string) =>
    present(
      lines
        .filter(({ line_type, code }: Shown) => line_type === 'account' && code.startsWith(first))
        .map(({ code, amount }: Shown) => [code, amount]),
    );
  for (const [name, first, total] of [
    ['Assets', '1', totals.assets],
    ['Liabilities', '2', totals.liabilities],
    ['Equity', '3', totals.equity],
  ] as const) {
    const { accounts, total: sum } = of(name);
    assert.deepEqual(amounts(first), present(Object.entries(accounts).map(([code, [at]]) => [code, at!])));
    assert.deepEqual(sum, [total]);
  }
  const short = statementBy(hledger('bs'));
  assert.deepEqual(
    [short('Assets').total, short('Liabilities').total],
    [[totals.assets], [totals.liabilities]],
  );
}

async function assertIncomeStatement({ hledger }: Judge): Promise<void> {
  const { lines } = await reportOf(`income-statement?${YEAR}&interval=month`);
  const words = ['is', '-M', '-E', '-b', '2025-01-01', '-e', '2026-01-01', NO_CLOSING];
  const of = statementBy(hledger(...words));
  const theirs = { ...of('Revenues').accounts, ...of('Expenses').accounts };
  const ours = lines.filter(({ line_type }: Shown) => line_type === 'account');
  const moved = Object.entries(theirs).filter(([, amounts]) => amounts.some((amount) => amount !== 0));
  assert.deepEqual(
    Object.fromEntries(ours.map(({ code, amounts }: Shown) => [code, amounts])),
    Object.fromEntries(moved),
  );
  const [net] = lines.filter(({ key }: Shown) => key === 'net_income');
  const expenses = of('Expenses').total;
  assert.deepEqual(
    net.amounts,
    of('Revenues').total.map((amount, month) => amount - expenses[month]!),
  );
}

/** Entries of an account, with what they moved and the balance behind them. */
type Moved = [number: string, change: number, balance: number];

async function assertLedgers({ hledger }: Judge): Promise<void> {
  for (const account of ['assets:cash:1140', 'liabilities:current_liabilities:2385', 'revenues:sales:4110']) {
    const theirs = hledger('aregister', account)
      .slice(1)
      .map(([, , number, , , change, balance]): Moved => [number!, yenOf(change), yenOf(balance)]);
    const rows: Shown[] = [];
    for (let cursor = '', more = true; more; ) {
      const page = await reportOf(`general-ledger?${YEAR}&account_code=${codeOf(account)}&limit=37${cursor}`);
      rows.push(...page.rows);
      more = page.has_more;
      cursor = `&starting_after=${page.rows.at(-1)?.line_id}`;
    }
    const ours = new Map<string, Moved>();
    for (const { number, debit, credit, balance } of rows) {
      const [, change] = ours.get(`${number}`) ?? ['', 0];
      ours.set(`${number}`, [`${number}`, change + debit - credit, balance]);
    }
    // What moves an account to and fro within an entry is no line of theirs.
    assert.deepEqual(
      [...ours.values()].filter(([, change]) => change !== 0),
      theirs.filter(([, change]) => change !== 0),
    );
    const csv = rowsOf(await fileOf(`general-ledger?${YEAR}&account_code=${codeOf(account)}&format=csv`));
    assert.deepEqual(
      csv.slice(1, -1).map(({ journal_id, balance }) => [journal_id, Number(balance)]),
      rows.map(({ journal_id, balance }) => [journal_id, balance]),
    );
  }
}

/** What each entry comes to, from the CSV and by hledger. */
async function assertJournalBook({ hledger }: Judge): Promise<void> {
  const rows = rowsOf(await fileOf(`journal-book?${YEAR}&format=csv`));
  const theirs = hledger('print', '-x').slice(1);
  const sumsOf = (lines: readonly (readonly [string, number])[]) => {
    const sums = new Map<string, number>();
    for (const [key, amount] of lines) sums.set(key, (sums.get(key) ?? 0) + amount);
    return present([...sums]);
  };
  assert.equal(rows.length, theirs.length);
  assert.deepEqual(
    sumsOf(
      rows.map(({ number, account_code, debit, credit }) => {
        return [`${number} ${account_code}`, Number(debit) - Number(credit)];
      }),
    ),
    sumsOf(
      theirs.map(([, , , , number, , , account, amount]) => [`${number} ${codeOf(account)}`, Number(amount)]),
    ),
  );
}

async function assertAll(): Promise<void> {
  await judged(await fileOf(`journal-book?${YEAR}&format=hledger`), async (by) => {
    by.text('check');
    await assertTrialBalance(by);
    await assertBalanceSheet(by);
    await assertIncomeStatement(by);
    await assertLedgers(by);
    await assertJournalBook(by);
  });
}

async function close(): Promise<Shown> {
  const closed = await books.post(`/accounting/fiscal-years/${books.year.id}/close`);
  assert.equal(closed.status, 200, closed.text);
  return closed.body.closing_journal;
}

test('an open year is what hledger and Ledger make of its entries', async () => {
  const { entries } = await reportOf(`journal-book?${YEAR}&limit=200`);
  assert.ok(entries.length === 200);
  await assertAll();
});

test('the closing entry is what hledger would close the year with', async () => {
  await removeUnposted(books);
  const before = await fileOf(`journal-book?${YEAR}&format=hledger`);
  const { lines } = await close();
  const theirs = await judged(before, ({ text }) => {
    const words = [
      'close',
      '--close',
      '--close-acct',
      'equity:retained_earnings:3330',
      'revenues',
      'expenses',
    ];
    return [...text(...words).matchAll(/:(\d{4}) +(-?\d+) JPY/g)].map(
      ([, code, amount]) => [code!, Number(amount)] as const,
    );
  });
  const ours = lines
    .slice(0, -1)
    .map(({ account_code, debit, credit }: Shown) => [account_code, debit - credit]);
  assert.ok(ours.length > 5);
  assert.deepEqual(present(ours), present(theirs));
  await assertAll();
});

test('a year that was opened and closed again is, too', async () => {
  const opened = await books.post(`/accounting/fiscal-years/${books.year.id}/reopen`, { reason: '修正' });
  assert.equal(opened.status, 200, opened.text);
  await books.post_entry('2025-12-31', [
    ['6310', 12_345],
    ['1140', -12_345],
  ]);
  await close();
  await assertAll();
});
