import { alreadyExists } from '../../../db/constraint.ts';
import { Failure, notFound } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import type { Text } from '../../../kernel/language.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import { endLinks } from '../../links/links.ts';
import { sendInvitation } from '../../mailer/account-mails.ts';
import { invitationLinks } from '../../mailer/invitation-tokens.ts';
import { type MailLimits, takeInvitation } from '../../mailer/mail-limits.ts';
import type { PeopleFollowers } from '../followers.ts';
import { presentRoles } from '../members/present-roles.ts';
import { belowOnly, mayInvite } from '../members/rank.ts';
import {
  type InvitationRow,
  invitationById,
  invitationOf,
  lockInvitation,
  lockPendingFor,
} from './queries.ts';
import { type Invitation, type InvitationInput, InvitationModel, invitationFacts } from './record.ts';
import { revokedOf, withAddress } from './revoke.ts';

const LIFETIME = 7 * 24 * 60 * 60 * 1000;

/**
 * Invites an address; the link goes out by mail. Errors: `insufficient_scope` for a role that is not below one's own,
 * `already_exists` for a present member or an open invitation, `rate_limited` beyond the limits of mails,
 * `invalid_credentials` for who has just left.
 */
export async function inviteMember(
  work: Work,
  { email, role }: InvitationInput,
  limits: MailLimits,
  followers: PeopleFollowers,
): Promise<Invitation> {
  await requireMayInvite(work, role);
  await refuseMember(work, email);
  await closeExpired(work, email);
  const created_at = work.now.toISOString();
  const row: InvitationRow = {
    id: newId('invt', work.now),
    email,
    role,
    slack_user_id: null,
    delivery_status: null,
    status: 'pending',
    expires_at: expiry(work),
    invited_by: work.actor.user_id!,
    created_at,
    updated_at: created_at,
  };
  const invitation = invitationOf(row, work.now);
  work.insert(InvitationModel, { ...row, mail_id: await sendInvitation(work, row.id, work.actor.user_id) });
  work.record(invitationFacts.created, { before: null, after: invitation });
  for (const follower of followers) await follower.invited(work, [{ id: row.id, email }]);
  await takeInvitation(work, email, limits);
  return invitation;
}

/**
 * Sends an open or expired invitation again and lets it run for another seven days. The new mail has the only link
 * that works. Errors: `not_found`, `invalid_transition` for an accepted or revoked one, `insufficient_scope`,
 * `rate_limited`, `invalid_credentials` for who has just left.
 */
export async function resendInvitation(work: Work, id: string, limits: MailLimits): Promise<Invitation> {
  await requireMayInvite(work, (await invitationById(work, id)).role);
  const row = await lockInvitation(work, id);
  const before = invitationOf(row, work.now);
  work.precondition(before);
  if (row.status !== 'pending') throw closed(before, { en: 'sent again', ja: '再送' });
  if (row.email === null) throw addressUnknown();
  const updated_at = work.touch(before);
  const after = invitationOf({ ...row, expires_at: expiry(work), updated_at }, work.now);
  const mail_id = await sendInvitation(work, id, work.actor.user_id);
  work.update(InvitationModel, id, { expires_at: after.expires_at, updated_at, mail_id });
  endLinks(work, invitationLinks, { organization_id: work.organization_id, record_id: id });
  work.record(invitationFacts.updated, { before, after });
  await takeInvitation(work, row.email.toLowerCase(), limits);
  return after;
}

/** Takes an open invitation back; its links stop working. Errors: `not_found` (also when revoked), `invalid_transition`. */
export async function revokeInvitation(work: Work, id: string, followers: PeopleFollowers): Promise<void> {
  const row = await lockInvitation(work, id);
  const before = invitationOf(row, work.now);
  work.precondition(before);
  if (row.status === 'revoked') throw notFound();
  if (row.status !== 'pending') throw closed(before, { en: 'revoked', ja: '取り消し' });
  const after = revokedOf(work, row);
  work.update(InvitationModel, id, { status: after.status, updated_at: after.updated_at });
  work.record(invitationFacts.deleted, { before, after });
  for (const follower of followers) await follower.uninvited(work, withAddress([row]));
}

/**
 * Marks an invitation as used up by that person, for the one request that comes first. The role that its inviter has
 * now decides: a removal that commits first leaves nothing to accept. Errors: `expired`, `invalid_transition`.
 */
export async function useInvitation(
  work: Work,
  id: string,
  user_id: string,
): Promise<{ email: string; role: Role }> {
  const { invited_by } = await invitationById(work, id);
  const roleOf = await presentRoles(work, [invited_by, user_id]);
  const row = await lockInvitation(work, id);
  const before = invitationOf(row, work.now);
  requireOpen(before);
  const { email } = row;
  if (email === null) throw noLongerOpen();
  if (!mayInvite(roleOf(invited_by), row.role)) {
    throw new Failure('expired', {
      detail: {
        en: 'Who sent the invitation may no longer give this role; ask for a new one',
        ja: '招待した人にはこの役割を与える権限がなくなっています。新しい招待を依頼してください',
      },
    });
  }
  const updated_at = work.touch(before);
  const after: Invitation = { ...before, status: 'accepted', updated_at };
  work.update(InvitationModel, id, { status: 'accepted', updated_at });
  work.record(invitationFacts.updated, { before, after });
  return { email, role: row.role };
}

/** Errors: `expired` for one that ran out or was taken back, `invalid_transition` for an accepted one. */
export function requireOpen(invitation: Pick<Invitation, 'status'>): void {
  if (invitation.status === 'pending') return;
  if (invitation.status === 'accepted') throw closed(invitation, { en: 'accepted', ja: '承諾' });
  throw noLongerOpen();
}

function noLongerOpen(): Failure {
  return new Failure('expired', {
    detail: {
      en: 'The invitation is no longer open; ask for a new one',
      ja: 'この招待は無効になっています。新しい招待を依頼してください',
    },
  });
}

/** Errors: `insufficient_scope`, `invalid_credentials`. The acting person's membership stays locked. */
export async function requireMayInvite(work: Work, role: Role): Promise<void> {
  const user_id = work.actor.user_id!;
  const own = (await presentRoles(work, [user_id]))(user_id);
  if (own === null) throw new Failure('invalid_credentials');
  if (!mayInvite(own, role)) throw belowOnly(own);
}

async function refuseMember(work: Work, email: string): Promise<void> {
  const found = await work.connection.query(
    `SELECT 1 FROM members JOIN users ON users.id = members.user_id
      WHERE members.organization_id = $1 AND members.left_at IS NULL AND users.email = $2`,
    [work.organization_id, email],
  );
  if (found.length > 0)
    throw alreadyExists('/email', {
      en: 'A member of this organization has this address',
      ja: 'このアドレスはこの組織のメンバーのものです',
    });
}

/** An earlier invitation whose time has run out makes room for a new one. */
async function closeExpired(work: Work, email: string): Promise<void> {
  const earlier = await lockPendingFor(work, email);
  if (!earlier || invitationOf(earlier, work.now).status === 'pending') return;
  work.update(InvitationModel, earlier.id, { status: 'expired', updated_at: work.touch(earlier) });
}

/** When an invitation ends that is made or sent now. */
export function expiry(work: Work): string {
  return new Date(work.now.getTime() + LIFETIME).toISOString();
}

function addressUnknown(): Failure {
  return new Failure('invalid_transition', {
    detail: {
      en: 'The address of the invitation is not known yet; it is sent as soon as it is',
      ja: '招待先のメールアドレスはまだ確認中です。確認でき次第、送信されます',
    },
    members: { current_status: 'pending', allowed_statuses: [] },
  });
}

function closed({ status }: Pick<Invitation, 'status'>, what: Text): Failure {
  return new Failure('invalid_transition', {
    detail: {
      en: `The invitation is ${status}; only a pending one can be ${what.en}`,
      ja: `招待の状態は ${status} です。${what.ja}できるのは pending のときだけです`,
    },
    members: { current_status: status, allowed_statuses: [] },
  });
}
