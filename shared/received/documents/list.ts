import { isFiltered, pageOf, type SortColumn } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { receivedContext } from '../context.ts';
import { withMatchesOfPage } from '../match/of-page.ts';
import { type ReceivedFilters, receivedRows } from './filters.ts';
import { kinds, type ReceivedKind, receivedKinds } from './kinds.ts';
import { documentsById } from './queries.ts';
import { type AnyReceived, anyReceived, ReceivedModel, receivedRecordKinds, type ShownReceived } from './record.ts';
import { summaryOfReceived } from './shown.ts';

/** A document in a list, without its lines. */
export type ListedReceived = Omit<ShownReceived, 'line_items'>;

/** The sort fields of the lists of a kind, beside those of every list. */
export const receivedSorts: Readonly<Record<string, SortColumn>> = {
  issue_date: { column: 'issue_date', nullable: true },
  due_date: { column: 'due_date', nullable: true },
  transaction_date: { column: 'retention_date', nullable: true },
  total: 'total',
  number: { column: 'number', nullable: true },
};

/** The columns that an index of a kind has in their order. */
const WALKED = ['issue_date', 'due_date', 'retention_date', 'total', 'number', 'updated_at'];

/** A window of the documents of a kind that the filters leave. */
export function receivedPage(
  reader: Reader,
  kind: ReceivedKind,
  filters: ReceivedFilters,
  window: Window,
): Promise<Page<ListedReceived>> {
  return listed(reader, async () => ({
    ...(await common(reader, kind, filters, window)),
    prefix: kinds[kind].prefix,
    sorts: receivedSorts,
    walked: WALKED,
    look_ups: { kind: receivedRecordKinds[kind], asked: filters },
  }));
}

/** The sort fields of the list of all kinds, beside those of every list. */
export const anyReceivedSorts: Readonly<Record<string, SortColumn>> = {
  transaction_date: { column: 'retention_date', nullable: true },
  total: 'total',
};

/** A window of the documents of all kinds that the filters leave, each with its `kind`. */
export async function anyReceivedPage(
  reader: Reader,
  filters: ReceivedFilters,
  window: Window,
): Promise<Page<AnyReceived>> {
  const page = await listed(reader, async () => ({
    ...(await common(reader, filters.kind ?? null, filters, window)),
    prefix: receivedKinds.map((each) => kinds[each].prefix),
    sorts: anyReceivedSorts,
    walked: ['created_at', 'retention_date', 'total'],
  }));
  return { ...page, rows: page.rows.map(anyReceived) };
}

async function common(
  reader: Reader,
  kind: ReceivedKind | null,
  filters: ReceivedFilters,
  window: Window,
) {
  const { query } = await receivedRows(reader, kind, filters);
  return {
    query,
    table: ReceivedModel.tableName,
    columns: ['id'],
    window,
    is_filtered: isFiltered(filters),
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
  };
}

/**
 * The documents of a page. Their IDs are found first, and their rows and parts by statements of their own, which are planned
 * once, and not anew for each filter.
 */
async function listed(
  reader: Reader,
  list: () => Promise<Parameters<typeof pageOf>[1]>,
): Promise<Page<ListedReceived>> {
  const [page, context] = await Promise.all([
    list().then((asked) => pageOf<{ id: string }>(reader, asked)),
    receivedContext(reader),
  ]);
  const ids = page.rows.map(({ id }) => id);
  const found = await documentsById(reader, ids, { lines: false });
  const kept = page.rows.flatMap(({ id }) => found.get(id) ?? []);
  const documents = await withMatchesOfPage(reader, kept);
  return { ...page, rows: documents.map((document) => summaryOfReceived(document, context)) };
}
