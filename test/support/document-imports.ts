import assert from 'node:assert/strict';
import { kinds, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import type { Client } from './client.ts';
import { until } from './until.ts';
import { formWith } from './uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Asks for an import of documents and waits for its end; answers it as it is then. */
export async function importedDocuments(
  client: Client,
  kind: WrittenKind,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<Shown> {
  const reply = await client.post(`/${kinds[kind].path}/import`, formWith(content, fields));
  assert.equal(reply.status, 202, reply.text);
  return endOfDocuments(client, kind, reply.body.import.id);
}

/** The import once it is over, or its revert is. */
export function endOfDocuments(client: Client, kind: WrittenKind, id: string): Promise<Shown> {
  return until(
    'the import is over',
    async () => {
      const shown = (await client.get(`/${kinds[kind].path}/imports/${id}`)).body.import;
      return shown.finished_at !== null && shown.status !== 'reverting' && shown;
    },
    120_000,
  );
}

/** Undoes an import; answers it as it is then. */
export async function revertedDocuments(client: Client, kind: WrittenKind, id: string): Promise<Shown> {
  const reply = await client.post(`/${kinds[kind].path}/imports/${id}/revert`);
  assert.equal(reply.status, 202, reply.text);
  return endOfDocuments(client, kind, id);
}

/** The rows of the report of errors: row, code and column. */
export async function documentFaultsOf(
  client: Client,
  kind: WrittenKind,
  id: string,
): Promise<[row: number, code: string, column: string | null][]> {
  const reply = await client.get(`/${kinds[kind].path}/imports/${id}/errors?limit=200`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items.map(({ row, code, column }: Shown) => [row, code, column]);
}

/** The documents of a kind with their lines, in the order in which they were made. */
export async function documentsOf(client: Client, kind: WrittenKind): Promise<Shown[]> {
  const { path } = kinds[kind];
  const { items } = (await client.get(`/${path}?limit=100&sort=created_at:asc`)).body;
  const ids: string[] = items.map(({ id }: Shown) => id).toSorted();
  const replies = await Promise.all(ids.map((id) => client.get(`/${path}/${id}`)));
  return replies.map(({ body }) => body[kind]);
}

/** What lines say of themselves, as tests compare them. */
export const saidByLines = ({ line_items }: Shown): unknown[][] =>
  line_items.map((line: Shown) => [line.description, line.quantity, line.unit_price, line.tax_category]);

/** The status of an import, its documents, and its rows by outcome: created, updated, unchanged, skipped, faulty. */
export const countsOf = ({ status, document_count, ...import_ }: Shown): unknown[] => {
  const { created_count, updated_count, unchanged_count, skipped_count, error_count } = import_;
  return [status, document_count, created_count, updated_count, unchanged_count, skipped_count, error_count];
};
