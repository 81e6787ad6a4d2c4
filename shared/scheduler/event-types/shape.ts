import { Failure, invalid, invalidAll } from '../../kernel/failure.ts';
import type { Assignment, EventTypeFields, EventTypeMember, MembersInput } from './fields.ts';

/**
 * Sees that the fields of an event type fit each other. Errors: `validation_failed` at /duration_options for the length
 * that guests have without choosing, `seats_mismatch` for several seats in round robin or with manual confirmation.
 */
export function requireShape({
  duration_minutes,
  duration_options,
  seats_per_slot,
  assignment,
  confirmation,
}: EventTypeFields): void {
  const place = duration_options.indexOf(duration_minutes);
  if (place >= 0) {
    throw invalid(`/duration_options/${place}`, 'duplicate', {
      en: 'duration_options are other lengths than duration_minutes',
      ja: 'duration_options には duration_minutes と異なる長さを指定してください',
    });
  }
  if (seats_per_slot > 1 && (assignment === 'round_robin' || confirmation.mode === 'manual')) {
    const message = {
      en: 'seats_per_slot must be 1 in round robin and with manual confirmation',
      ja: 'ラウンドロビンまたは手動確認の場合、seats_per_slot は 1 にしてください',
    };
    throw new Failure('seats_mismatch', {
      detail: message,
      errors: [{ in: 'body', path: '/seats_per_slot', code: 'seats_mismatch', message }],
    });
  }
}

/** Members as they are sent, with their roles: in round robin they rotate unless said, else they are required. */
export function membersOf(sent: MembersInput, assignment: Assignment): EventTypeMember[] {
  const usual = assignment === 'round_robin' ? 'rotating' : 'required';
  return sent.map(({ user_id, role = usual, priority, availability_id }) => ({
    user_id,
    role,
    priority,
    availability_id,
  }));
}

/**
 * Whether members can host what is assigned so: `single` exactly one, who is required; `collective` at least one required
 * and none that rotates; `round_robin` at least one that rotates.
 */
export function isHosted(members: readonly Pick<EventTypeMember, 'role'>[], assignment: Assignment): boolean {
  const has = (role: EventTypeMember['role']) => members.some((member) => member.role === role);
  if (assignment === 'round_robin') return has('rotating');
  return has('required') && !has('rotating') && (assignment === 'collective' || members.length === 1);
}

/** Errors: `no_members`, `members_mismatch`, `validation_failed` for one who is named twice. */
export function requireHosted(members: readonly EventTypeMember[], assignment: Assignment): void {
  if (members.length === 0) {
    const message = { en: 'members must name at least one member', ja: 'members に1人以上指定してください' };
    throw new Failure('no_members', {
      detail: message,
      errors: [{ in: 'body', path: '/members', code: 'no_members', message }],
    });
  }
  const ids = members.map(({ user_id }) => user_id);
  const repeated = ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));
  if (repeated.length > 0) {
    throw invalidAll(
      repeated.map((index) => ({
        in: 'body',
        path: `/members/${index}/user_id`,
        code: 'duplicate',
        message: { en: 'The member is named more than once', ja: '同じメンバーが重複しています' },
      })),
    );
  }
  if (isHosted(members, assignment)) return;
  const message = RULES[assignment];
  throw new Failure('members_mismatch', {
    detail: message,
    errors: [{ in: 'body', path: '/members', code: 'members_mismatch', message }],
  });
}

const RULES = {
  single: {
    en: '`single` takes exactly one member, who is required',
    ja: '`single` の担当者は、required の1人だけです',
  },
  collective: {
    en: '`collective` takes at least one required member, and none that rotates',
    ja: '`collective` の担当者は required が1人以上必要で、rotating は指定できません',
  },
  round_robin: {
    en: '`round_robin` takes at least one member that rotates',
    ja: '`round_robin` の担当者には rotating が1人以上必要です',
  },
} as const;
