import { isFiltered, type ListQuery, pageOf, type SortColumn } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { receivedContext } from '../context.ts';
import { withMatchesOfPage } from '../match/of-page.ts';
import { type ReceivedFilters, receivedRows } from './filters.ts';
import { kinds, type ReceivedKind, receivedKinds } from './kinds.ts';
import { documentsById } from './queries.ts';
import {
  type AnyReceived,
  anyReceived,
  anyReceivedKind,
  ReceivedModel,
  receivedRecordKinds,
  type ShownReceived,
} from './record.ts';
import { summaryOfReceived } from './shown.ts';

/** A document in a list, without its lines. */
export type ListedReceived = Omit<ShownReceived, 'line_items'>;

/** The sort fields of the lists of a kind and of all kinds, beside those of every list. */
export const receivedSorts: Readonly<Record<string, SortColumn>> = {
  issue_date: { column: 'issue_date', nullable: true },
  due_date: { column: 'due_date', nullable: true },
  transaction_date: { column: 'retention_date', nullable: true },
  total: 'total',
  number: { column: 'number', nullable: true },
};

/** The columns that an index of a kind has in their order. */
const WALKED = ['issue_date', 'due_date', 'retention_date', 'total', 'number', 'updated_at'];

/** The documents of a kind that the filters leave. */
export async function receivedListed(
  reader: Reader,
  kind: ReceivedKind,
  filters: ReceivedFilters,
  window: Window,
): Promise<ListQuery> {
  return {
    ...(await listedBy(reader, [kind], filters, window)),
    prefix: kinds[kind].prefix,
    sorts: receivedSorts,
    walked: WALKED,
    look_ups: { kind: receivedRecordKinds[kind], asked: filters },
  };
}

/** A window of them, each without its lines. */
export function receivedPage(
  reader: Reader,
  kind: ReceivedKind,
  filters: ReceivedFilters,
  window: Window,
): Promise<Page<ListedReceived>> {
  return pageOfReceived(reader, receivedListed(reader, kind, filters, window));
}

/** A window of the documents of all kinds that the filters leave, each with its `kind`. */
export async function anyReceivedPage(
  reader: Reader,
  filters: ReceivedFilters,
  window: Window,
): Promise<Page<AnyReceived>> {
  const wanted = filters.kind === undefined ? receivedKinds : [filters.kind];
  // What is found by its text comes from the index of letters, which has all kinds and none of the orders.
  const isByText = filters.search !== undefined || filters.partner !== undefined;
  const isByMaking = (window.sort[0]?.field ?? 'created_at') === 'created_at';
  const order = wanted.length === 1 || isByText || isByMaking ? null : orderOf(window);
  const listed = listedBy(reader, wanted, filters, window, order).then(
    (list): ListQuery => ({
      ...list,
      prefix: receivedKinds.map((each) => kinds[each].prefix),
      sorts: receivedSorts,
      walked: wanted.length === 1 ? ['created_at', ...WALKED] : ['created_at'],
      look_ups: { kind: anyReceivedKind, asked: filters },
    }),
  );
  const page = await pageOfReceived(reader, listed);
  return { ...page, rows: page.rows.map(anyReceived) };
}

/** The columns of an order that is asked for, and the ID behind them. */
function orderOf({ sort }: Window): { column: string; direction: 'asc' | 'desc' }[] {
  const columns = sort.map(({ field, direction }) => {
    const named = receivedSorts[field] ?? field;
    return { column: typeof named === 'string' ? named : named.column, direction };
  });
  return [...columns, { column: 'id', direction: sort[0]!.direction }];
}

async function listedBy(
  reader: Reader,
  wanted: readonly ReceivedKind[],
  filters: ReceivedFilters,
  window: Window,
  order: ReturnType<typeof orderOf> | null = null,
): Promise<Omit<ListQuery, 'prefix'>> {
  const { query } = await receivedRows(reader, wanted, filters, order);
  const unordered = order === null ? null : (await receivedRows(reader, wanted, filters)).query;
  return {
    query,
    ...(unordered && { unordered }),
    table: ReceivedModel.tableName,
    columns: ['id'],
    window,
    is_filtered: isFiltered(filters),
    counted: { table: ReceivedModel.tableName, kind: wanted.length === 1 ? wanted[0]! : null },
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
  };
}

/**
 * The documents of a page. Their IDs are found first, and their rows and parts by statements of their own, which are planned
 * once, and not anew for each filter.
 */
async function pageOfReceived(reader: Reader, listed: Promise<ListQuery>): Promise<Page<ListedReceived>> {
  const [page, context] = await Promise.all([
    listed.then((list) => pageOf<{ id: string }>(reader, list)),
    receivedContext(reader),
  ]);
  const ids = page.rows.map(({ id }) => id);
  const found = await documentsById(reader, ids, { whole: false });
  const kept = page.rows.flatMap(({ id }) => found.get(id) ?? []);
  const documents = await withMatchesOfPage(reader, kept);
  return { ...page, rows: documents.map((document) => summaryOfReceived(document, context)) };
}
