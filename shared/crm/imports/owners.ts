import type { Work } from '../../kernel/work.ts';
import { type Fault, type GoodRow, textsIn, unknown, type Values } from './row.ts';

/** The owner that a row names, undefined when it names none. Faults: `unknown_reference`. */
export type Owners = (values: Values) => string | Fault | undefined;

/** The members whom rows name as owners, by e-mail or ID; one who has left is none. */
export async function ownersIn(work: Work, rows: readonly GoodRow[]): Promise<Owners> {
  const emails = textsIn(rows, 'owner_email');
  const ids = textsIn(rows, 'owner_id');
  if (emails.length + ids.length === 0) return () => undefined;
  const members = await work.connection.query<{ user_id: string; email: string }>(
    `SELECT members.user_id, users.email FROM members JOIN users ON users.id = members.user_id
      WHERE members.organization_id = $1 AND members.left_at IS NULL
        AND (users.email = ANY ($2) OR members.user_id = ANY ($3))`,
    [work.organization_id, emails, ids],
    { prepared: false },
  );
  const byEmail = new Map(members.map(({ email, user_id }) => [email, user_id]));
  const known = new Set(members.map(({ user_id }) => user_id));
  return ({ owner_email, owner_id }) => {
    if (owner_email !== undefined) {
      return byEmail.get(owner_email as string) ?? unknown('owner_email', owner_email);
    }
    if (owner_id === undefined || known.has(owner_id as string)) return owner_id as string | undefined;
    return unknown('owner_id', owner_id);
  };
}
