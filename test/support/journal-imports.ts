import assert from 'node:assert/strict';
import type { Books } from './books.ts';
import { until } from './until.ts';
import { formWith } from './uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Asks for an import of entries and waits for its end; answers it as it is then. */
export async function imported(
  books: Books,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<Shown> {
  const reply = await books.post('/accounting/journals/import', formWith(content, fields));
  assert.equal(reply.status, 202, reply.text);
  return endOf(books, reply.body.import.id);
}

/** The import once it is over, or its revert is. */
export function endOf(books: Books, id: string): Promise<Shown> {
  return until(
    'the import is over',
    async () => {
      const shown = (await books.get(`/accounting/imports/${id}`)).body.import;
      return shown.finished_at !== null && shown.status !== 'reverting' && shown;
    },
    120_000,
  );
}

/** The rows of the report of errors: row, code and column. */
export async function faultsOf(books: Books, id: string): Promise<[number, string, string | null][]> {
  const reply = await books.get(`/accounting/imports/${id}/errors?limit=200`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items.map(({ row, code, column }: Shown) => [row, code, column]);
}

/** All entries in the order of their numbers, drafts last and in the order in which they were made. */
export async function entriesOf(books: Books): Promise<Shown[]> {
  const { items } = (await books.get('/accounting/journals?limit=200&sort=created_at:asc')).body;
  return items.toSorted((one: Shown, other: Shown) => {
    if (one.number !== other.number) return (one.number ?? Infinity) - (other.number ?? Infinity);
    return one.id < other.id ? -1 : 1;
  });
}
