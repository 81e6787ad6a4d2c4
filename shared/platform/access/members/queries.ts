import { pageOf } from '../../../db/list.ts';
import { oneOf } from '../../../db/one-of.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { type Member, MemberModel } from './record.ts';

const columns = ['id', 'user_id', 'role', 'joined_at', 'left_at', 'created_at', 'updated_at'] as const;

export type MemberRow = Omit<Member, 'object' | 'name' | 'email'>;
export type Person = { id: string; name: string; email: string };

/** A row and the person as the API shows them. */
export function memberOf(row: MemberRow, person: Person): Member {
  const { id, user_id, role, joined_at, left_at, created_at, updated_at } = row;
  const { name, email } = person;
  return { id, object: 'member', user_id, name, email, role, joined_at, left_at, created_at, updated_at };
}

/** Who the users are. Names and addresses are the person's own, the same in every organization. */
export async function peopleByIds(
  reader: Pick<Reader, 'connection'>,
  user_ids: readonly string[],
): Promise<(user_id: string) => Person> {
  const rows = await reader.connection.query<Person>(
    `SELECT id, name, email FROM users WHERE id = ${oneOf('$1')}`,
    [user_ids],
  );
  const people = new Map(rows.map((row) => [row.id, row]));
  return (user_id) => people.get(user_id)!;
}

/** One member. Errors: `not_found`. */
export async function memberById(reader: Reader, id: string): Promise<Member> {
  const row = (await MemberModel.table(reader).where({ id }).first(columns)) as MemberRow | undefined;
  if (!row) throw notFound();
  return memberOf(row, (await peopleByIds(reader, [row.user_id]))(row.user_id));
}

export type MemberFilters = { status?: 'present' | 'left'; role?: Role; user_id?: string };

/** A window of the members that the filters leave. */
export async function memberPage(
  reader: Reader,
  filters: MemberFilters,
  window: Window,
): Promise<Page<Member>> {
  const query = MemberModel.table(reader);
  if (filters.role) query.where('members.role', filters.role);
  if (filters.user_id) query.where('members.user_id', filters.user_id);
  if (filters.status === 'present') query.whereNull('members.left_at');
  if (filters.status === 'left') query.whereNotNull('members.left_at');
  const page = await pageOf<MemberRow>(reader, {
    query,
    table: 'members',
    columns,
    prefix: 'mbr',
    sorts: { joined_at: 'joined_at' },
    window,
  });
  const people = await peopleByIds(
    reader,
    page.rows.map(({ user_id }) => user_id),
  );
  return { ...page, rows: page.rows.map((row) => memberOf(row, people(row.user_id))) };
}
