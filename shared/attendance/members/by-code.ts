import type { Knex } from 'knex';
import { pageOf } from '../../db/list.ts';
import type { SearchTerm } from '../../db/search-term.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { MemberModel } from './record.ts';
import { type MemberRow, memberColumns } from './row.ts';

/** By the codes of members, those without last. */
const BY_CODE = [{ field: 'employee_code', direction: 'asc' }] as const;

/**
 * A window of members in the order of their codes, for lists of what members have, which are listed under the IDs of these.
 * `member_ids` null: all; `search` and `narrow` leave some out.
 */
export async function membersByCode(
  reader: Reader,
  member_ids: readonly string[] | null,
  window: Window,
  { search = null, narrow }: { search?: SearchTerm | null; narrow?: (query: Knex.QueryBuilder) => void } = {},
): Promise<Page<MemberRow>> {
  const query = MemberModel.table(reader);
  if (member_ids) query.whereRaw('attendance_members.id = ANY (?)', [[...member_ids]]);
  narrow?.(query);
  return pageOf<MemberRow>(reader, {
    query,
    table: MemberModel.tableName,
    columns: memberColumns,
    prefix: 'mem',
    search,
    sorts: { employee_code: { column: 'employee_code', nullable: true }, name: 'searched_name' },
    window: window.sort.length > 0 ? window : { ...window, sort: [...BY_CODE] },
  });
}
