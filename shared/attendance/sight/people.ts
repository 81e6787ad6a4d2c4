import { Failure, invalid, notFound, unknownReference } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isSeen, ownMemberId, type Sight, sightOf } from './sight.ts';

/** What operations about the days of somebody need to know of them. */
export type Person = {
  id: string;
  user_id: string | null;
  name: string;
  department_id: string | null;
  hired_on: string | null;
  left_on: string | null;
  status: 'invited' | 'active' | 'left';
};

/** The member of a path whose days are read or changed. Errors: `not_found`, also for one that the caller does not see. */
export async function memberOfPath(reader: Reader, member_id: string): Promise<Person> {
  const person = await seenPerson(reader, await sightOf(reader), member_id);
  if (!person) throw notFound();
  return person;
}

/**
 * The member that a body is about: who asks, unless it names another one. Errors: `role_required` for a member who acts
 * for others, `unknown_reference` at `path` for one that the caller does not see, `validation_failed` where nobody is
 * named by a caller who is none.
 */
export async function memberOfBody(
  reader: Reader,
  member_id: string | null | undefined,
  path = '/member_id',
): Promise<Person> {
  const sight = await sightOf(reader);
  const own = sight.of === 'all' ? null : sight.member_id;
  const asked = member_id ?? own ?? (await ownMemberId(reader));
  if (asked === null) {
    throw invalid(path, 'required', {
      en: `${path.slice(1)} is required: you are no member yourself`,
      ja: `${path.slice(1)} は必須です。呼び出し元がメンバーではありません`,
    });
  }
  if (sight.of === 'own' && asked !== own) throw roleRequired(ACT_FOR_OTHERS);
  const person = await seenPerson(reader, sight, asked);
  if (!person) throw unknownReference(path, asked);
  return person;
}

/**
 * The member that a query is about: who asks, unless another one is named. Errors: `not_found` for one that the caller does
 * not see, and where a caller who is none names nobody.
 */
export async function seenMember(reader: Reader, member_id: string | undefined): Promise<Person> {
  const asked = member_id ?? (await ownMemberId(reader));
  if (asked === null) throw notFound();
  return memberOfPath(reader, asked);
}

/** Sees that who asks is owner or admin. Errors: `role_required`. */
export function requireManagement({ actor }: Pick<Reader, 'actor'>): void {
  const { role, type } = actor;
  if (role === 'owner' || role === 'admin' || type === 'system') return;
  throw roleRequired(MANAGE);
}

const ACT_FOR_OTHERS: Text = {
  en: 'As member you act for yourself alone; managers, admins and owners act for others',
  ja: 'member の役割で操作できるのは自分の分だけです。ほかの人の分は manager、admin、owner が操作します',
};

const MANAGE: Text = {
  en: 'Owners and admins alone may do this',
  ja: 'この操作は owner と admin だけが行えます',
};

/** The refusal of what the role of who asks does not allow. */
export function roleRequired(detail: Text): Failure {
  return new Failure('role_required', { detail });
}

async function seenPerson(reader: Reader, sight: Sight, id: string): Promise<Person | null> {
  const [person] = await reader.connection.query<Person>(
    `SELECT id, user_id, name, department_id, hired_on, left_on, status
       FROM attendance_members WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  return person && isSeen(sight, person) ? person : null;
}
