import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { linesOf, type Side } from '../support/books.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const actor = await newActor(own.database);
const port = await freePort();
const start = () => startApi(port, { DATABASE_URL: own.url });

// biome-ignore lint/suspicious/noExplicitAny: any answer is read here.
type Body = any;

/** Sends a request until it is answered, as a program does that meets an API which is being started again. */
async function send(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/accounting${path}`, {
        method,
        headers: { Authorization: `Bearer ${actor.secret}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status < 500) return { status: response.status, body: JSON.parse(text) };
    } catch {
      // The connection was refused or cut: whether the write was taken is not known, and it is sent again.
    }
    await pause(20);
  }
}

const SALE: Side[] = [
  ['1110', 1_100],
  ['4110', -1_000],
  ['2385', -100],
];

const entry = (external_id: string, day: number) => ({
  date: `2025-05-${String((day % 28) + 1).padStart(2, '0')}`,
  external_id,
  lines: linesOf(SALE),
});

const SINGLES = 120;
const BATCHES = SINGLES / 10;
const IN_A_BATCH = 20;

/** Sums of the books that must be equal, read past the API. */
async function sums(text: string): Promise<unknown[]> {
  return own.database.withConnection(actor.organization_id, async ({ query }) =>
    (await query(text, [actor.organization_id])).map((row) => Object.values(row)),
  );
}

test('entries, batches and a close are in the books once and whole, while the API is killed', async () => {
  let api = await start();
  await send('POST', '/accounts/seed');
  await send('POST', '/fiscal-years', { start_date: '2025-01-01', end_date: '2025-12-31' });
  let done = 0;
  const taken = (reply: { status: number; body: Body }) => {
    // 409 with the ID of the entry: the answer to the first one was lost.
    assert.ok(reply.status === 201 || reply.body.code === 'already_exists', JSON.stringify(reply.body));
    done += 1;
  };
  const single = async (n: number) => {
    taken(await send('POST', '/journals', { ...entry(`S-${n}`, n), post: true }));
  };
  const batch = async (n: number) => {
    const journals = Array.from({ length: IN_A_BATCH }, (_, place) => entry(`B-${n}-${place}`, place));
    taken(await send('POST', '/journals/batch', { journals, post: true }));
  };
  // A batch behind every tenth entry.
  const calls = Array.from({ length: SINGLES }, (_, n) =>
    n % 10 === 9 ? [() => single(n), () => batch((n - 9) / 10)] : [() => single(n)],
  ).flat();
  const worker = async () => {
    for (let call = calls.shift(); call; call = calls.shift()) await call();
  };
  const all = Promise.all(Array.from({ length: 8 }, worker));
  const count = SINGLES + BATCHES;
  for (const share of [0.2, 0.4, 0.6, 0.8]) {
    await until('a part is posted', () => done >= count * share);
    await api.kill();
    api = await start();
  }
  await all;

  const entries = SINGLES + BATCHES * IN_A_BATCH;
  const numbers = await sums(
    `SELECT count(*)::int AS entries, count(DISTINCT external_id)::int AS keys, count(DISTINCT number)::int AS numbers,
            min(number), max(number)
       FROM accounting_journals WHERE organization_id = $1`,
  );
  assert.deepEqual(numbers, [[entries, entries, entries, 1, entries]]);
  assert.deepEqual(
    await sums(
      `SELECT account_id, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit FROM accounting_days WHERE organization_id = $1 GROUP BY 1 ORDER BY 1`,
    ),
    await sums(
      `SELECT account_id, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit FROM accounting_lines WHERE organization_id = $1 GROUP BY 1 ORDER BY 1`,
    ),
  );

  const { body } = await send('GET', '/fiscal-years');
  const [year] = body.items;
  const closing = send('POST', `/fiscal-years/${year.id}/close`);
  await api.kill();
  api = await start();
  await closing;
  const { status } = await send('POST', `/fiscal-years/${year.id}/close`);
  assert.ok(status === 200 || status === 409, `${status}`);
  const closed = await sums(
    `SELECT year.status, count(journal.id)::int AS entries, count(lock.id)::int AS locks FROM accounting_fiscal_years AS year
       LEFT JOIN accounting_journals AS journal ON journal.organization_id = $1 AND journal.id = year.closing_journal_id
       LEFT JOIN accounting_period_locks AS lock ON lock.organization_id = $1 AND lock.fiscal_year_id = year.id
      WHERE year.organization_id = $1 AND year.start_date = '2025-01-01' GROUP BY year.status`,
  );
  assert.deepEqual(closed, [['closed', 1, 1]]);
  assert.deepEqual(
    await sums(
      `SELECT count(*)::int FROM accounting_journals WHERE organization_id = $1 AND kind = 'closing'`,
    ),
    [[1]],
  );
  assert.equal(await api.stop(), 0);
});
