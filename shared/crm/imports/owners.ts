import type { Work } from '../../kernel/work.ts';
import { foldName } from './owner-columns.ts';
import { ambiguous, type Fault, type GoodRow, textsIn, unknown, type Values } from './row.ts';

/**
 * The owner that a row names, undefined when it names none; `present` is the owner of the record now.
 * Faults: `unknown_reference`, `ambiguous` for a name that several members have.
 */
export type Owners = (values: Values, present: string | null) => string | Fault | undefined;

type Member = { user_id: string; email: string; name: string; has_left: boolean };

/** The members whom rows name as owners, by ID, e-mail or name; one who has left can only stay owner. */
export async function ownersIn(work: Work, rows: readonly GoodRow[]): Promise<Owners> {
  const emails = textsIn(rows, 'owner_email');
  const ids = textsIn(rows, 'owner_id');
  const has_names = textsIn(rows, 'owner_name').length > 0;
  if (emails.length + ids.length === 0 && !has_names) return () => undefined;
  const members = await work.connection.query<Member>(
    `SELECT members.user_id, users.email, users.name, members.left_at IS NOT NULL AS has_left
       FROM members JOIN users ON users.id = members.user_id
      WHERE members.organization_id = $1
        AND ($4 OR users.email = ANY ($2) OR members.user_id = ANY ($3))`,
    [work.organization_id, emails, ids, has_names],
    { prepared: false },
  );
  const byEmail = new Map(members.map((member) => [member.email, member]));
  const byId = new Map(members.map((member) => [member.user_id, member]));
  const byName = Map.groupBy(members, ({ name }) => foldName(name));
  return ({ owner_id, owner_email, owner_name }, present) => {
    if (owner_id === undefined && owner_email === undefined && owner_name === undefined) return undefined;
    const canOwn = ({ has_left, user_id }: Member) => !has_left || user_id === present;
    const told = byId.get(owner_id as string) ?? byEmail.get(owner_email as string);
    if (told && canOwn(told)) return told.user_id;
    if (owner_email !== undefined) return unknown('owner_email', owner_email);
    if (owner_name === undefined) return unknown('owner_id', owner_id);
    const named = (byName.get(foldName(owner_name as string)) ?? []).filter(canOwn);
    if (named.length > 1) return ambiguous('owner_name', owner_name);
    return named[0]?.user_id ?? unknown('owner_name', owner_name);
  };
}
