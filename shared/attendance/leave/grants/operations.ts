import { Failure, invalid, notFound } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import { metadataAfter } from '../../../kernel/own-keys.ts';
import type { Work } from '../../../kernel/work.ts';
import { lockMember, lockNamedMember } from '../../members/queries.ts';
import { todayOf } from '../../settings/queries.ts';
import { memberOfBody, memberOfPath, requireManagement } from '../../sight/people.ts';
import { leaveOf, type MemberLeave } from '../accounts.ts';
import { leftOf } from '../rules/room.ts';
import { expiryOf } from '../rules/statutory.ts';
import { allocate, type DatedUse, displaced } from '../rules/uses.ts';
import {
  type LeaveGrant,
  type LeaveGrantInput,
  LeaveGrantModel,
  type LeaveGrantPatch,
  leaveGrantFacts,
} from './record.ts';
import { grantRow, type LeaveGrantRow, toldOfGrant } from './rows.ts';
import { shownGrant } from './shown.ts';

/**
 * Grants days by hand. Owners and admins do this. Errors: `role_required`, `unknown_reference`, `validation_failed` for
 * days that end before they begin, and where they must end but are not said to.
 */
export async function createLeaveGrant(work: Work, input: LeaveGrantInput): Promise<LeaveGrant> {
  requireManagement(work);
  const person = await memberOfBody(work, input.member_id);
  const { type, granted_on } = input;
  const expires_on = input.expires_on ?? (type === 'paid_annual' ? expiryOf(granted_on) : null);
  if (expires_on === null) {
    throw invalid('/expires_on', 'required', {
      en: 'expires_on is required but for paid_annual',
      ja: 'expires_on は paid_annual 以外では必須です',
    });
  }
  requireOrder(granted_on, expires_on);
  await lockNamedMember(work, person.id);
  const at = work.now.toISOString();
  const row: LeaveGrantRow = {
    id: newId('lgrant', work.now),
    member_id: person.id,
    type,
    granted_on,
    expires_on,
    days: input.days,
    reason: 'manual',
    note: input.note,
    basis: null,
    created_by: work.actor.user_id,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  work.insert(LeaveGrantModel, row);
  work.record(leaveGrantFacts.created, { before: null, after: toldOfGrant(row) });
  await work.flush();
  return shownGrant(work, row);
}

/** Errors: `validation_failed` at /expires_on. */
function requireOrder(granted_on: string, expires_on: string | null): void {
  if (expires_on === null || expires_on >= granted_on) return;
  throw invalid('/expires_on', 'too_small', {
    en: 'expires_on must not be before granted_on',
    ja: 'expires_on は granted_on 以降の日付で指定してください',
  });
}

/**
 * Changes the fields sent of a grant. What was taken must still fit. Errors: `not_found`, `role_required`,
 * `precondition_failed`, `in_use`, `validation_failed`.
 */
export async function updateLeaveGrant(work: Work, id: string, patch: LeaveGrantPatch): Promise<LeaveGrant> {
  const { before, leave } = await lockGrant(work, id);
  const changed: LeaveGrantRow = {
    ...before,
    days: patch.days ?? before.days,
    granted_on: patch.granted_on ?? before.granted_on,
    expires_on: patch.expires_on ?? before.expires_on,
    note: patch.note === undefined ? before.note : patch.note,
    external_id: patch.external_id === undefined ? before.external_id : patch.external_id,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (changed.expires_on === null && changed.days > 0) changed.expires_on = expiryOf(changed.granted_on);
  requireOrder(changed.granted_on, changed.expires_on);
  if (work.isSame(leaveGrantFacts.updated, toldOfGrant(before), toldOfGrant(changed))) {
    return shownGrant(work, before);
  }
  requireRoomFor(leave, before, changed);
  const after = { ...changed, updated_at: work.touch(before) };
  const { id: _, created_at, member_id, ...columns } = after;
  work.update(LeaveGrantModel, id, columns);
  work.record(leaveGrantFacts.updated, { before: toldOfGrant(before), after: toldOfGrant(after) });
  await work.flush();
  return shownGrant(work, after);
}

/** Takes a grant back of which nothing was taken. Errors: `not_found`, `role_required`, `precondition_failed`, `in_use`. */
export async function deleteLeaveGrant(work: Work, id: string): Promise<void> {
  const { before, leave } = await lockGrant(work, id);
  const { grants, takings, hours_per_day } = leave.account(before.type);
  const used = usesOf(allocate(grants, takings, hours_per_day).uses, before);
  if (used.length > 0) throw inUse(used);
  work.remove(LeaveGrantModel, id);
  work.record(leaveGrantFacts.deleted, { before: toldOfGrant(before), after: null });
}

/** A grant behind the locked row of its member, with what was taken of it. Errors: `not_found`, `role_required`. */
async function lockGrant(work: Work, id: string): Promise<{ before: LeaveGrantRow; leave: MemberLeave }> {
  const found = await grantRow(work, id);
  if (!found) throw notFound();
  await memberOfPath(work, found.member_id);
  requireManagement(work);
  await lockMember(work, found.member_id);
  // Whoever changes a grant has the lock of its member.
  const before = await grantRow(work, id);
  if (!before) throw notFound();
  work.precondition(before);
  const today = await todayOf(work);
  return { before, leave: (await leaveOf(work, [before.member_id], { today }))(before.member_id) };
}

const usesOf = (uses: readonly DatedUse[], { id }: LeaveGrantRow) =>
  uses.filter(({ grant_id }) => grant_id === id);

/** Sees that a changed grant has what was taken of it, and that no request loses its days. Errors: `in_use`. */
function requireRoomFor(leave: MemberLeave, before: LeaveGrantRow, changed: LeaveGrantRow): void {
  const { grants, takings, hours_per_day } = leave.account(before.type);
  const now = allocate(grants, takings, hours_per_day);
  const used = usesOf(now.uses, before);
  if (leftOf(changed.days, used, hours_per_day) === null) throw inUse(used);
  const others = grants.filter(({ id }) => id !== before.id);
  const lost = displaced(now, allocate([...others, changed], takings, hours_per_day));
  if (lost.length > 0) throw inUse(used);
}

function inUse(used: readonly DatedUse[]): Failure {
  const count = new Set(used.map(({ request_id }) => request_id)).size;
  return new Failure('in_use', {
    detail: {
      en: 'Leave that was asked for takes days of this grant; reject or cancel it first',
      ja: 'この付与の日数を使う休暇申請があります。先に却下または取り消してください',
    },
    members: { used_by: [{ kind: 'leave_request', count }] },
  });
}
