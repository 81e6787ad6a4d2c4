import { oneOf } from '../../db/one-of.ts';
import { Failure, type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { presentMembers } from '../members/locks.ts';
import type { Assignment, EventTypeMember, MembersInput } from './fields.ts';
import { EventTypeMemberModel } from './record.ts';
import { membersOf, requireHosted } from './shape.ts';

/** The members of an event type for which none were sent: who creates it. */
export function ownMembership({ actor }: Work): MembersInput {
  return actor.user_id === null ? [] : [{ user_id: actor.user_id, priority: 2, availability_id: null }];
}

/** Keeps members that were sent from leaving before the commit. To be asked before the event type is locked. */
export function keepPresent(work: Work, sent: MembersInput): Promise<Set<string>> {
  return presentMembers(
    work,
    sent.map(({ user_id }) => user_id),
  );
}

/**
 * The members of an event type as they were sent, each with a role; `present` are those who are members of the
 * organization. Errors: `no_members`, `members_mismatch`, `validation_failed`, `unknown_reference`.
 */
export async function requireMembers(
  work: Work,
  sent: MembersInput,
  assignment: Assignment,
  present: ReadonlySet<string>,
): Promise<EventTypeMember[]> {
  const members = membersOf(sent, assignment);
  requireHosted(members, assignment);
  refuseUnknown(members, 'user_id', ({ user_id }) => present.has(user_id));
  await requireAvailability(work, members);
  return members;
}

/**
 * Sees that the availability that members name is their own, and keeps it until the commit. Errors: `unknown_reference` at
 * /members/n/availability_id.
 */
async function requireAvailability(work: Work, members: readonly EventTypeMember[]): Promise<void> {
  const ids = members.flatMap(({ availability_id }) => availability_id ?? []);
  if (ids.length === 0) return;
  const rows = await work.connection.query<{ id: string; user_id: string }>(
    `SELECT id, user_id FROM scheduler_availability WHERE organization_id = $1 AND id = ${oneOf('$2')}
      ORDER BY id FOR KEY SHARE`,
    [work.organization_id, ids],
  );
  const owners = new Map(rows.map(({ id, user_id }) => [id, user_id]));
  refuseUnknown(
    members,
    'availability_id',
    ({ availability_id, user_id }) => availability_id === null || owners.get(availability_id) === user_id,
  );
}

/** Adds the members of an event type that has none. */
export function addMembers(work: Work, event_type_id: string, members: readonly EventTypeMember[]): void {
  work.insertAll(
    EventTypeMemberModel,
    members.map((member, position) => ({ event_type_id, position, ...member })),
  );
}

/** Takes all members out of an event type. */
export function removeMembers(work: Work, event_type_id: string): void {
  work.run('DELETE FROM scheduler_event_type_members WHERE organization_id = $1 AND event_type_id = $2', [
    work.organization_id,
    event_type_id,
  ]);
}

function refuseUnknown(
  members: readonly EventTypeMember[],
  field: 'user_id' | 'availability_id',
  isKnown: (member: EventTypeMember) => boolean,
): void {
  const errors = members.flatMap((member, index): FieldError[] => {
    if (isKnown(member)) return [];
    return [
      { in: 'body', path: `/members/${index}/${field}`, code: 'unknown_reference', message: UNKNOWN[field] },
    ];
  });
  if (errors.length === 0) return;
  const { details } = invalidAll(errors);
  throw new Failure('unknown_reference', details);
}

const UNKNOWN = {
  user_id: {
    en: 'The user is not a member of this organization',
    ja: 'このユーザーは組織のメンバーではありません',
  },
  availability_id: {
    en: 'The member has no such availability',
    ja: 'このメンバーの予約可能時間ではありません',
  },
} as const;
