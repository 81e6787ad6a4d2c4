import type { Work } from '../../../kernel/work.ts';
import { sendInvitation } from '../../mailer/account-mails.ts';
import { invitationsOf, takeAttempt } from '../attempts.ts';
import type { PeopleFollowers } from '../followers.ts';
import { type InvitationRow, invitationColumns, invitationOf } from './queries.ts';
import { type DeliveryStatus, type Invitation, InvitationModel, invitationFacts } from './record.ts';
import { revokedOf, withAddress } from './revoke.ts';

/** An invitation that a worker sends: `mail_id` is null until its mail was asked for. */
export type Deliverable = InvitationRow & { mail_id: string | null };

/** What a worker found of somebody, and whether they can be told there. */
export type Found = {
  email: string | null;
  slack_user_id: string | null;
  outcome: 'reachable' | 'not_found' | 'failed';
};

/** An invitation that waits to be sent, locked until the work commits; null for one that does not, or has ended. */
export async function lockDeliverable(work: Work, id: string): Promise<Deliverable | null> {
  const [row] = await work.connection.query<Deliverable>(
    `SELECT ${invitationColumns.join(', ')}, mail_id FROM invitations
      WHERE organization_id = $1 AND id = $2 AND delivery_status = 'queued' FOR UPDATE`,
    [work.organization_id, id],
  );
  return row ?? null;
}

/**
 * Sends the mail of a locked invitation, once, now that the worker knows whose it is, and answers how far it is: `sending`
 * where the caller is to tell the person, whose message has to leave after this commit and not again. An invitation of
 * nobody, of a member, or of an address that is invited already is revoked.
 */
export async function beginDelivery(
  work: Work,
  row: Deliverable,
  found: Found,
  followers: PeopleFollowers,
): Promise<DeliveryStatus | 'sending'> {
  const { slack_user_id, outcome } = found;
  const email = row.email ?? found.email?.toLowerCase() ?? null;
  if (invitationOf(row, work.now).status !== 'pending')
    return change(work, row, { delivery_status: 'failed' });
  const untold = outcome === 'reachable' ? 'not_found' : outcome;
  if (email === null) return revoke(work, row, { slack_user_id, delivery_status: untold }, followers);
  const obstacle = row.mail_id === null ? await obstacleTo(work, row, email) : null;
  if (obstacle) return revoke(work, row, { slack_user_id, delivery_status: obstacle }, followers);
  const mail_id = row.mail_id ?? (await sendInvitation(work, row.id, row.invited_by));
  if (row.email === null)
    for (const follower of followers) await follower.invited(work, [{ id: row.id, email }]);
  const delivery_status = outcome === 'reachable' ? 'sending' : outcome;
  return change(work, row, { email, slack_user_id, mail_id, delivery_status });
}

/** Slack asks to wait: the message of an invitation has not left, and is sent by another try. */
export function postponeDelivery(work: Work, id: string): void {
  work.run(
    `UPDATE invitations SET delivery_status = 'queued'
      WHERE organization_id = $1 AND id = $2 AND delivery_status = 'sending'`,
    [work.organization_id, id],
  );
}

/**
 * Notes how the message of an invitation ended. That it was sent is certain knowledge, and replaces what another try made
 * of not knowing it.
 */
export async function endDelivery(work: Work, id: string, delivery_status: 'sent' | 'failed'): Promise<void> {
  const [row] = await work.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM invitations
      WHERE organization_id = $1 AND id = $2
        AND (delivery_status = 'sending' OR $3 = 'sent' AND delivery_status = 'failed') FOR UPDATE`,
    [work.organization_id, id, delivery_status],
  );
  if (row) change(work, row, { delivery_status });
}

/**
 * Gives up the messages of these invitations: one that may have been sent, and by `what` also those that wait. `in_doubt`:
 * these go on to wait. `tell`: there is no way to tell anybody, so whose address is known gets the mail alone. `stop`: who
 * waits was sent nothing, and is to be sent nothing, so the invitation is revoked.
 */
export async function giveUpDeliveries(
  work: Work,
  ids: readonly string[],
  what: 'in_doubt' | 'tell' | 'stop',
  followers: PeopleFollowers,
): Promise<void> {
  const rows = await work.connection.query<Deliverable>(
    `SELECT ${invitationColumns.join(', ')}, mail_id FROM invitations
      WHERE organization_id = $1 AND id = ANY ($2) AND delivery_status = ANY ($3) ORDER BY id FOR UPDATE`,
    [work.organization_id, ids, what === 'in_doubt' ? ['sending'] : ['queued', 'sending']],
  );
  for (const row of rows) {
    if (row.delivery_status === 'sending' || row.status !== 'pending' || row.mail_id !== null) {
      change(work, row, { delivery_status: 'failed' });
    } else if (what === 'tell') {
      const { slack_user_id } = row;
      await beginDelivery(work, row, { email: null, slack_user_id, outcome: 'failed' }, followers);
    } else {
      await revoke(work, row, { delivery_status: 'failed' }, followers);
    }
  }
}

/** Why an address cannot be invited; null where it can. An address has its own number of invitations a day. */
async function obstacleTo(work: Work, row: InvitationRow, email: string): Promise<DeliveryStatus | null> {
  const [found] = await work.connection.query<{ is_member: boolean; is_invited: boolean }>(
    `SELECT EXISTS (SELECT FROM members JOIN users ON users.id = members.user_id
              WHERE members.organization_id = $1 AND members.left_at IS NULL AND users.email = $2) AS is_member,
       EXISTS (SELECT FROM invitations WHERE organization_id = $1 AND lower(email) = $2 AND status = 'pending'
          AND id <> $3) AS is_invited`,
    [work.organization_id, email, row.id],
  );
  if (found!.is_member) return 'already_member';
  if (found!.is_invited) return 'failed';
  const seconds = await takeAttempt(work.connection, invitationsOf(email), work.now);
  return seconds > 0 ? 'failed' : null;
}

type Changes = Partial<Pick<Deliverable, 'email' | 'slack_user_id' | 'mail_id' | 'delivery_status'>>;

function change<Changed extends Changes>(
  work: Work,
  row: InvitationRow,
  changes: Changed,
): NonNullable<Changed['delivery_status']> {
  const before = invitationOf(row, work.now);
  const updated_at = work.touch(row);
  const { mail_id: _, ...shown } = changes;
  const after = invitationOf({ ...row, ...shown, updated_at }, work.now);
  work.update(InvitationModel, row.id, { ...changes, updated_at });
  record(work, before, after);
  return changes.delivery_status!;
}

/** Revokes the invitation, and lets go whoever was prepared for it. */
async function revoke<Changed extends Changes>(
  work: Work,
  row: InvitationRow,
  changes: Changed,
  followers: PeopleFollowers,
): Promise<NonNullable<Changed['delivery_status']>> {
  const before = invitationOf(row, work.now);
  const revoked = revokedOf(work, row);
  const { status, updated_at } = revoked;
  work.update(InvitationModel, row.id, { ...changes, status, updated_at });
  work.record(invitationFacts.deleted, {
    before,
    after: invitationOf({ ...row, ...changes, status, updated_at }, work.now),
  });
  if (row.email !== null)
    for (const follower of followers) await follower.uninvited(work, withAddress([row]));
  return changes.delivery_status!;
}

/** A message that is about to leave is shown as before: then there is nothing to tell. */
function record(work: Work, before: Invitation, after: Invitation): void {
  if (!work.isSame(invitationFacts.updated, before, after)) {
    work.record(invitationFacts.updated, { before, after });
  }
}
