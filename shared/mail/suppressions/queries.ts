import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { emailKey, suppressionHash } from '../email-key.ts';
import { type Suppression, SuppressionModel } from './record.ts';

const columns = ['id', 'email', 'reason', 'created_at', 'updated_at'] as const;

export type SuppressionRow = Omit<Suppression, 'object'>;

/** A row as the API shows it. */
export function suppressionOf(row: SuppressionRow): Suppression {
  const { id, email, reason, created_at, updated_at } = row;
  return { id, object: 'mail.suppression', email, reason, created_at, updated_at };
}

/** One suppression, its row locked until the work commits. Errors: `not_found`. */
export async function lockSuppression(reader: Reader, id: string): Promise<Suppression> {
  const [row] = await reader.connection.query<SuppressionRow>(
    `SELECT ${columns.join(', ')} FROM suppressions WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return suppressionOf(row);
}

/** The suppression of an address, by its key; null when there is none. Locked where asked. */
export async function suppressionFor(
  reader: Reader,
  email_key: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Suppression | null> {
  const [row] = await reader.connection.query<SuppressionRow>(
    `SELECT ${columns.join(', ')} FROM suppressions WHERE organization_id = $1 AND email_hash = $2 ${lock}`,
    [reader.organization_id, suppressionHash(reader.organization_id, email_key)],
  );
  return row ? suppressionOf(row) : null;
}

export type SuppressionFilters = { email?: string; search?: string; reason?: string };

/** The suppressions that the filters leave; an address is told by its hash, so erased ones are found too. */
export function suppressionList(reader: Reader, filters: SuppressionFilters, window: Window): ListQuery {
  const query = SuppressionModel.table(reader);
  if (filters.email !== undefined) {
    const email_hash = suppressionHash(reader.organization_id, emailKey(filters.email));
    query.where('suppressions.email_hash', email_hash);
  }
  if (filters.reason !== undefined) query.where('suppressions.reason', filters.reason);
  return {
    query,
    table: SuppressionModel.tableName,
    columns,
    prefix: 'supp',
    window,
    is_filtered: isFiltered(filters),
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
    counted: { table: SuppressionModel.tableName },
  };
}

/** A window of the suppressions that the filters leave. */
export async function suppressionPage(
  reader: Reader,
  filters: SuppressionFilters,
  window: Window,
): Promise<Page<Suppression>> {
  const page = await pageOf<SuppressionRow>(reader, suppressionList(reader, filters, window));
  return { ...page, rows: page.rows.map(suppressionOf) };
}
