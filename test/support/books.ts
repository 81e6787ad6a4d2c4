import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A side of an entry: a code of the chart with an amount on the debit side, or a negative one on the credit side. */
export type Side = [code: string, amount: number, more?: Record<string, unknown>];

/** What tests about books begin with: an organization with the seeded chart and the year 2025. */
export type Books = Client & {
  actor: TestActor;
  organization_id: string;
  year: Shown;
  /** Makes any record and answers it, sent to the path of its collection below /accounting. */
  make(path: string, fields: Record<string, unknown>): Promise<Shown>;
  /** Makes an entry and answers it. */
  book(date: string, sides: readonly Side[], fields?: Record<string, unknown>): Promise<Shown>;
  /** The same, posted. */
  post_entry(date: string, sides: readonly Side[], fields?: Record<string, unknown>): Promise<Shown>;
  /** Does something to an entry. */
  act(id: string, action: string, body?: unknown): Promise<Reply>;
};

/** The lines of sides as a request has them. */
export function linesOf(sides: readonly Side[]) {
  return sides.map(([account_code, amount, more]) => {
    return { account_code, ...(amount > 0 ? { debit: amount } : { credit: -amount }), ...more };
  });
}

/** An organization of its own with a chart and the year 2025. */
export async function newBooks(app: TestApp, choice: Parameters<TestApp['actor']>[0] = {}): Promise<Books> {
  const client = await app.actor(choice);
  async function make(path: string, fields: Record<string, unknown>): Promise<Shown> {
    const reply = await client.post(`/accounting/${path}`, fields);
    assert.equal(reply.status, 201, reply.text);
    return Object.values(reply.body)[0];
  }
  const seeded = await client.post('/accounting/accounts/seed');
  assert.equal(seeded.status, 200, seeded.text);
  const year = await make('fiscal-years', { start_date: '2025-01-01', end_date: '2025-12-31' });
  const book: Books['book'] = (date, sides, fields = {}) =>
    make('journals', { date, lines: linesOf(sides), ...fields });
  return {
    ...client,
    organization_id: client.actor.organization_id,
    year,
    make,
    book,
    post_entry: (date, sides, fields) => book(date, sides, { ...fields, post: true }),
    act: (id, action, body) => client.post(`/accounting/journals/${id}/${action}`, body),
  };
}

/** Sends a call again while the service cannot answer just now, as its refusal asks for: many at once wait for each other. */
export async function persistently(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
    await pause(50);
  }
}

/** The rollups are the sums of the posted lines. */
export async function assertRollups(
  app: TestApp,
  { organization_id }: Pick<Books, 'organization_id'>,
): Promise<void> {
  await app.database.withConnection(organization_id, async ({ query }) => {
    const months = await query(
      `SELECT account_id, kind_group, month, debit, credit FROM accounting_months
        WHERE organization_id = $1 ORDER BY 1, 2, 3`,
      [organization_id],
    );
    const days = await query(
      `SELECT account_id, kind_group, date, debit, credit FROM accounting_days
        WHERE organization_id = $1 ORDER BY 1, 2, 3`,
      [organization_id],
    );
    const sums = (day: string) =>
      query(
        `SELECT account_id, kind_group, ${day} AS day, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit
           FROM accounting_lines WHERE organization_id = $1 AND number IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [organization_id],
      );
    const values = (rows: object[]) => rows.map((row) => Object.values(row));
    assert.deepEqual(values(months), values(await sums("date_trunc('month', date)::date")));
    assert.deepEqual(values(days), values(await sums('date')));
    assert.ok(months.length > 0);
  });
}
