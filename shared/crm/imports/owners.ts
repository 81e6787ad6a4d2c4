import type { Work } from '../../kernel/work.ts';
import { type Fault, type GoodRow, textsIn, unknown, type Values } from './row.ts';

/**
 * The owner that a row names, undefined when it names none; `present` is the owner of the record now.
 * Faults: `unknown_reference`.
 */
export type Owners = (values: Values, present: string | null) => string | Fault | undefined;

/** The members whom rows name as owners, by ID or e-mail; one who has left can only stay owner. */
export async function ownersIn(work: Work, rows: readonly GoodRow[]): Promise<Owners> {
  const emails = textsIn(rows, 'owner_email');
  const ids = textsIn(rows, 'owner_id');
  if (emails.length + ids.length === 0) return () => undefined;
  const members = await work.connection.query<{ user_id: string; email: string; has_left: boolean }>(
    `SELECT members.user_id, users.email, members.left_at IS NOT NULL AS has_left FROM members JOIN users ON users.id = members.user_id
      WHERE members.organization_id = $1
        AND (users.email = ANY ($2) OR members.user_id = ANY ($3))`,
    [work.organization_id, emails, ids],
    { prepared: false },
  );
  const byEmail = new Map(members.map((member) => [member.email, member]));
  const byId = new Map(members.map((member) => [member.user_id, member]));
  return ({ owner_id, owner_email }, present) => {
    if (owner_id === undefined && owner_email === undefined) return undefined;
    const found = byId.get(owner_id as string) ?? byEmail.get(owner_email as string);
    if (found && (!found.has_left || found.user_id === present)) return found.user_id;
    return owner_email === undefined ? unknown('owner_id', owner_id) : unknown('owner_email', owner_email);
  };
}
