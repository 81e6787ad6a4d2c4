import assert from 'node:assert/strict';
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
