import { isCompany } from '../../crm/aliases.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { receivedContext } from '../context.ts';
import { withMatchesOfPage } from '../match/of-page.ts';
import { kinds, type ReceivedKind } from './kinds.ts';
import { documentsById } from './queries.ts';
import { ReceivedModel, receivedRecordKinds, type ShownReceived } from './record.ts';
import { summaryOfReceived } from './shown.ts';

/** What the lists of received documents are filtered by. */
export type ReceivedFilters = LookUps & { status?: string[]; company_id?: string };

/** The documents of a kind that the filters leave. */
export function receivedListed(
  reader: Reader,
  kind: ReceivedKind,
  filters: ReceivedFilters,
  window: Window,
): ListQuery {
  const table = ReceivedModel.tableName;
  const query = ReceivedModel.table(reader).where(`${table}.kind`, kind);
  if (filters.status) query.whereRaw(`"${table}".status = ANY (?)`, [filters.status]);
  if (filters.company_id) query.whereRaw(...isCompany(reader, table, filters.company_id));
  return {
    query,
    table,
    columns: ['id'],
    prefix: kinds[kind].prefix,
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: receivedRecordKinds[kind], asked: filters },
  };
}

/** A window of them, without their lines. */
export async function receivedPage(
  reader: Reader,
  kind: ReceivedKind,
  filters: ReceivedFilters,
  window: Window,
): Promise<Page<Omit<ShownReceived, 'line_items'>>> {
  const page = await pageOf<{ id: string }>(reader, receivedListed(reader, kind, filters, window));
  const [context, found] = await Promise.all([
    receivedContext(reader),
    documentsById(
      reader,
      page.rows.map(({ id }) => id),
      { lines: false },
    ),
  ]);
  const kept = page.rows.flatMap(({ id }) => found.get(id) ?? []);
  const documents = await withMatchesOfPage(reader, kept);
  return { ...page, rows: documents.map((document) => summaryOfReceived(document, context)) };
}
