import { alreadyExists } from '../../../db/constraint.ts';
import { newId } from '../../../kernel/id.ts';
import type { Role } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import { type MailLimits, takeRecipients } from '../../mailer/mail-limits.ts';
import type { PeopleFollowers } from '../followers.ts';
import { expiry, requireMayInvite } from './operations.ts';
import { type InvitationRow, invitationColumns, invitationOf } from './queries.ts';
import { type Invitation, InvitationModel, invitationFacts } from './record.ts';
import { withAddress } from './revoke.ts';

/** Whom to invite: by an address, or by an account of Slack whose address a worker finds. */
export type InvitedPeople = { emails: readonly string[]; slack_user_ids: readonly string[] };

/**
 * Makes invitations whose mails and messages a worker sends (`delivery.ts`), in the order of the addresses, then the
 * accounts. Errors: `insufficient_scope`, `invalid_credentials`, `already_exists` at the place of an open one,
 * `rate_limited` where they are more recipients than the organization may mail now.
 */
export async function inviteForDelivery(
  work: Work,
  { emails, slack_user_ids, role }: InvitedPeople & { role: Role },
  limits: MailLimits,
  followers: PeopleFollowers,
): Promise<Invitation[]> {
  await requireMayInvite(work, role);
  await makeRoom(work, { emails, slack_user_ids });
  const created_at = work.now.toISOString();
  const people = [
    ...emails.map((email) => ({ email, slack_user_id: null })),
    ...slack_user_ids.map((slack_user_id) => ({ email: null, slack_user_id })),
  ];
  const rows: InvitationRow[] = people.map((person) => ({
    id: newId('invt', work.now),
    ...person,
    role,
    delivery_status: 'queued',
    status: 'pending',
    expires_at: expiry(work),
    invited_by: work.actor.user_id!,
    created_at,
    updated_at: created_at,
  }));
  const invitations = rows.map((row) => invitationOf(row, work.now));
  work.insertAll(InvitationModel, rows);
  for (const after of invitations) work.record(invitationFacts.created, { before: null, after });
  for (const follower of followers) await follower.invited(work, withAddress(rows));
  await takeRecipients(work, rows.length, limits);
  return invitations;
}

/** Closes invitations of these people whose time has run out. Errors: `already_exists` for one that is open. */
async function makeRoom(work: Work, { emails, slack_user_ids }: InvitedPeople): Promise<void> {
  const pending = await work.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM invitations
      WHERE organization_id = $1 AND status = 'pending' AND (lower(email) = ANY ($2) OR slack_user_id = ANY ($3))
      ORDER BY id FOR UPDATE`,
    [work.organization_id, emails, slack_user_ids],
  );
  const open = pending.find((row) => invitationOf(row, work.now).status === 'pending');
  if (open) {
    const by_email = emails.indexOf(open.email?.toLowerCase() ?? '');
    const path =
      by_email >= 0
        ? `/emails/${by_email}`
        : `/slack_user_ids/${slack_user_ids.indexOf(open.slack_user_id!)}`;
    throw alreadyExists(path, {
      en: 'This person has an open invitation; send it again instead',
      ja: 'この人には有効な招待があります。再送してください',
    });
  }
  work.updateAll(
    InvitationModel,
    pending.map((row) => ({ id: row.id, status: 'expired', updated_at: work.touch(row) })),
  );
  // The rows that follow need the places of these.
  await work.flush();
}
