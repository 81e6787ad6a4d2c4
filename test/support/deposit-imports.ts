import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { until } from './until.ts';
import { formWith } from './uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Asks for an import of a bank's statement and waits for its end; answers it as it is then. */
export async function importedDeposits(
  client: Client,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<Shown> {
  const reply = await client.post('/deposits/import', formWith(content, fields));
  assert.equal(reply.status, 202, reply.text);
  return endOfDeposits(client, reply.body.import.id);
}

/** The import once it is over, or its revert is. */
export function endOfDeposits(client: Client, id: string): Promise<Shown> {
  return until(
    'the import is over',
    async () => {
      const shown = (await client.get(`/deposits/imports/${id}`)).body.import;
      return shown.finished_at !== null && shown.status !== 'reverting' && shown;
    },
    120_000,
  );
}

/** The status of an import and its rows by outcome: created, skipped, duplicate, faulty. */
export const depositCountsOf = ({ status, ...counts }: Shown): unknown[] => {
  const { created_count, skipped_count, duplicate_count, error_count } = counts;
  return [status, created_count, skipped_count, duplicate_count, error_count];
};

/** A statement with these lines: day, name, out, in. */
export const statement = (...lines: string[]): string => ['日付,摘要,出金額,入金額', ...lines].join('\r\n');

/** What is wrong with the rows of an import: row, code, column. */
export const depositFaultsOf = async (client: Client, { id }: Shown): Promise<unknown[]> =>
  (await client.get(`/deposits/imports/${id}/errors?limit=200`)).body.items.map(
    ({ row, code, column }: Shown) => [row, code, column],
  );

/** Two lines of money that came in, and one of a fee that went out. */
export const MONTH_OF_STATEMENT = statement(
  '2026/5/29,振込 カ)ヤマダシヨウテン,,"23,000"',
  '2026/5/29,振込手数料,440,',
  '2026/5/31,ｽｽﾞｷ,,¥5000',
);

/** All deposits of an organization, in the order of their IDs. */
export const depositsOf = async (client: Client): Promise<Shown[]> =>
  (await client.get('/deposits?limit=200&sort=created_at:asc')).body.items.toSorted(
    (one: Shown, other: Shown) => (one.id < other.id ? -1 : 1),
  );
