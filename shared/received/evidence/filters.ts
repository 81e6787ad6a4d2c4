import type { Knex } from 'knex';
import type { Reader } from '../../kernel/reader.ts';
import { narrowByText } from '../documents/by-text.ts';
import { type ReceivedFilters, receivedRows } from '../documents/filters.ts';
import { type ReceivedKind, receivedKinds } from '../documents/kinds.ts';

/**
 * What the received documents of an export of evidence are narrowed by: the filters of their lists, and under the names of
 * accounting's documents those that both have. `date` is that of the transaction.
 */
export type EvidenceFilters = Omit<ReceivedFilters, 'kind' | 'status' | 'search'> & {
  kind?: string;
  search?: string;
  /** Jobs of before have one. */
  status?: string | string[];
  registration_number?: string;
  linked?: boolean;
  document_type?: string;
  direction?: string;
  amount_min?: number;
  amount_max?: number;
  date_from?: string;
  date_to?: string;
};

/**
 * The received documents with files that the filters leave, in no order; null where they ask for what no received document is.
 * In an object, since a query that is awaited by itself runs.
 */
export async function evidenceQuery(
  reader: Reader,
  filters: EvidenceFilters,
): Promise<{ query: Knex.QueryBuilder } | null> {
  const kinds = kindsOf(filters);
  const is_of_others = filters.direction === 'issued' || filters.has_file === false;
  if (kinds.length === 0 || is_of_others) return null;
  const { kind, status, linked, registration_number, date_from, date_to, amount_min, amount_max, ...own } =
    filters;
  const { query } = await receivedRows(reader, kinds, {
    ...own,
    has_file: true,
    ...(status !== undefined && { status: [status].flat() }),
    ...(linked !== undefined && { has_journal: linked }),
    ...(date_from !== undefined && { transaction_date_from: date_from }),
    ...(date_to !== undefined && { transaction_date_to: date_to }),
    ...(amount_min !== undefined && { total_min: amount_min }),
    ...(amount_max !== undefined && { total_max: amount_max }),
  });
  if (registration_number !== undefined) query.where({ registration_number });
  const { search } = filters;
  if (search !== undefined) await narrowByText(reader, query, 'search', search);
  return { query };
}

/** The kinds that are asked for; accounting's documents call their kinds `document_type`. */
function kindsOf({ kind, document_type }: EvidenceFilters): ReceivedKind[] {
  return receivedKinds.filter(
    (each) =>
      (kind === undefined || kind === each) && (document_type === undefined || document_type === each),
  );
}
