import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { hasText, type SearchTerm } from '../../db/search-term.ts';
import { notFound, unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { todayOf } from '../settings/queries.ts';
import { departmentsBelow, isSeen, type Sight, seenCondition, sightOf } from '../sight/sight.ts';
import { termsOn } from '../terms/present.ts';
import { type AttendanceMember, type Colleague, MemberModel, memberKind } from './record.ts';
import { type MemberRow, memberColumns, memberOf, rolesOf } from './row.ts';

const BY_ID = `SELECT ${memberColumns.join(', ')} FROM attendance_members WHERE organization_id = $1 AND id = $2`;

/** A member whom the caller may see whole. Errors: `not_found`, also for one whose days they may not read. */
export async function memberById(reader: Reader, id: string): Promise<AttendanceMember> {
  const [row] = await reader.connection.query<MemberRow>(BY_ID, [reader.organization_id, id]);
  if (!row || !isSeen(await sightOf(reader), row)) throw notFound();
  return shownMember(reader, row);
}

/** The row of a member, locked until the work commits. Errors: `not_found`. */
export async function lockMember(reader: Reader, id: string): Promise<MemberRow> {
  const row = await lockedMember(reader, id);
  if (!row) throw notFound();
  return row;
}

/** The same for one that a body names, who may have gone since they were found. Errors: `unknown_reference` at /member_id. */
export async function lockNamedMember(reader: Reader, id: string): Promise<MemberRow> {
  const row = await lockedMember(reader, id);
  if (!row) throw unknownReference('/member_id', id);
  return row;
}

async function lockedMember(reader: Reader, id: string): Promise<MemberRow | undefined> {
  const [row] = await reader.connection.query<MemberRow>(`${BY_ID} FOR NO KEY UPDATE`, [
    reader.organization_id,
    id,
  ]);
  return row;
}

/** The rows of members, locked in the order of their IDs until the work commits. */
export async function lockMembers(reader: Reader, ids: readonly string[]): Promise<Map<string, MemberRow>> {
  const rows = await reader.connection.query<MemberRow>(
    `SELECT ${memberColumns.join(', ')} FROM attendance_members WHERE organization_id = $1 AND id = ${oneOf('$2')}
      ORDER BY id FOR NO KEY UPDATE`,
    [reader.organization_id, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A row with what the API shows beside it. */
export async function shownMember(reader: Reader, row: MemberRow): Promise<AttendanceMember> {
  return (await shownMembers(reader, [row]))[0]!;
}

/** Rows with their roles, and with the terms that hold today. */
export async function shownMembers(reader: Reader, rows: readonly MemberRow[]): Promise<AttendanceMember[]> {
  const today = await todayOf(reader);
  const [roleOf, termsOf] = await Promise.all([
    rolesOf(
      reader,
      rows.flatMap(({ user_id }) => user_id ?? []),
    ),
    termsOn(
      reader,
      rows.map(({ id }) => id),
      today,
    ),
  ]);
  return rows.map((row) => memberOf(row, roleOf(row.user_id), termsOf(row.id)));
}

export type MemberFilters = LookUps & {
  search?: string;
  department_id?: string;
  status?: readonly AttendanceMember['status'][];
};

/**
 * A window of the members. Those whose days the caller may not read are colleagues: name and department of who is active,
 * found by these alone.
 */
export async function memberPage(
  reader: Reader,
  filters: MemberFilters,
  window: Window,
): Promise<Page<AttendanceMember | Colleague>> {
  const sight = await sightOf(reader);
  const query = MemberModel.table(reader);
  if (filters.department_id !== undefined) {
    query.whereRaw('attendance_members.department_id = ANY (?)', [
      await departmentsBelow(reader, filters.department_id),
    ]);
  }
  if (filters.status !== undefined) query.whereIn('attendance_members.status', [...filters.status]);
  const term = filters.search === undefined ? null : searchTerm(filters.search, { phones: false });
  withinSight(query, sight, { term, keyed: isKeyed(filters) });
  const page = await pageOf<MemberRow>(reader, {
    query,
    table: MemberModel.tableName,
    columns: memberColumns,
    prefix: 'mem',
    sorts: { name: 'searched_name', employee_code: { column: 'employee_code', nullable: true } },
    window,
    is_filtered: isFiltered(filters) || sight.of !== 'all',
    look_ups: { kind: memberKind, asked: filters },
    search: term,
  });
  const seen = page.rows.filter((row) => isSeen(sight, row));
  const whole = new Map((await shownMembers(reader, seen)).map((member) => [member.id, member]));
  return { ...page, rows: page.rows.map((row) => whole.get(row.id) ?? colleagueOf(row)) };
}

/** Whether something is asked for that colleagues do not show. */
function isKeyed(filters: MemberFilters): boolean {
  return Object.keys(memberKind.keys).some((key) => filters[key] !== undefined);
}

function withinSight(
  query: ReturnType<typeof MemberModel.table>,
  sight: Sight,
  { term, keyed }: { term: SearchTerm | null; keyed: boolean },
): void {
  const seen = seenCondition(sight);
  if (!seen) return;
  query.where((either) => {
    either.whereRaw(seen.text, seen.values as never);
    if (keyed) return;
    either.orWhere((colleague) => {
      colleague.where('attendance_members.status', 'active');
      if (term === null) return;
      const told = hasText('attendance_members.searched_name', term);
      colleague.whereRaw(told.text, told.values as string[]);
    });
  });
}

function colleagueOf({ id, name, department_id }: MemberRow): Colleague {
  return { id, object: 'attendance.member', name, department_id };
}
