import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { membersSeen } from '../sight/sight.ts';
import type { RequestFilters, RequestType } from './kind.ts';
import type { RequestRow } from './record.ts';
import { seenRequest } from './rows.ts';

/** A request of a member whose days the caller may read. Errors: `not_found`. */
export async function requestById<Row extends RequestRow, Shown>(
  reader: Reader,
  type: RequestType<Row, Shown>,
  id: string,
): Promise<Shown> {
  return (await type.show(reader, [await seenRequest(reader, type, id)]))[0]!;
}

/** The query of a list: requests of members whose days the caller may read. */
export async function requestList<Row extends RequestRow>(
  reader: Reader,
  { model, columns, records, sorts, narrow }: RequestType<Row, unknown>,
  filters: RequestFilters,
  window: Window,
): Promise<ListQuery> {
  const { status, member_id, department_id, ...look_ups } = filters;
  const table = model.tableName;
  const seen = await membersSeen(reader, {
    ...(member_id !== undefined && { member_id }),
    ...(department_id !== undefined && { department_id }),
  });
  const query = model.table(reader);
  if (seen) query.whereRaw(`${table}.member_id = ANY (?)`, [seen]);
  if (status !== undefined) query.whereIn(`${table}.status`, [...status]);
  narrow(query, filters);
  return {
    query,
    table,
    columns,
    prefix: records.prefix,
    sorts: { ...sorts },
    window,
    is_filtered: isFiltered(filters) || seen !== null,
    look_ups: { kind: records, asked: look_ups },
  };
}

/** A window of a list of requests. */
export async function requestPage<Row extends RequestRow, Shown>(
  reader: Reader,
  type: RequestType<Row, Shown>,
  filters: RequestFilters,
  window: Window,
): Promise<Page<Shown>> {
  const page = await pageOf<Row>(reader, await requestList(reader, type, filters, window));
  return { ...page, rows: await type.show(reader, page.rows) };
}
