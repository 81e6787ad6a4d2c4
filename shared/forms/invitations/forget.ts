import type { Work } from '../../kernel/work.ts';
import { endPartials, PARTIALS_TOGETHER } from '../partials/end.ts';
import { InvitationModel, invitationFacts } from './record.ts';
import { type InvitationRow, invitationColumns, invitationsOf } from './rows.ts';

/** Invitations to an address after one of them, by their IDs, no more than so many. */
export async function invitationsTo(
  { connection, organization_id }: Work,
  { email_key, after, most }: { email_key: string; after: string; most: number },
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM forms_invitations WHERE organization_id = $1 AND email_key = $2 AND id > $3
      ORDER BY id LIMIT $4`,
    [organization_id, email_key, after, most],
  );
  return rows.map(({ id }) => id);
}

/**
 * Forgets whom invitations were for, and ends them and what was saved by them; they stay in the list, since their responses name
 * them. Answers how many. The caller bounds them. Locks: the forms against their end, the invitations, then the partials,
 * each in the order of their IDs.
 */
export async function forgetInvitations(work: Work, ids: readonly string[]): Promise<number> {
  const { connection, organization_id, now } = work;
  await connection.query(
    `SELECT FROM forms_forms WHERE organization_id = $1 AND id IN (
       SELECT form_id FROM forms_invitations WHERE organization_id = $1 AND id = ANY ($2))
      ORDER BY id FOR KEY SHARE`,
    [organization_id, ids],
  );
  const rows = await connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM forms_invitations
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
    [organization_id, ids],
  );
  await endPartialsBy(work, ids);
  for (const before of await invitationsOf(work, rows)) {
    const revoked_at = before.revoked_at ?? now.toISOString();
    const forgotten = { email: null, name: null, hidden: {}, revoked_at, updated_at: work.touch(before) };
    const after = { ...before, ...forgotten };
    work.update(InvitationModel, before.id, { ...forgotten, email_key: null });
    work.record(invitationFacts.updated, { before, after });
  }
  // The words of mail servers name addresses.
  const mail_ids = rows.flatMap(({ mail_id }) => mail_id ?? []);
  work.run('UPDATE mails SET error = NULL WHERE organization_id = $1 AND id = ANY ($2)', [
    organization_id,
    mail_ids,
  ]);
  return rows.length;
}

async function endPartialsBy(work: Work, invitation_ids: readonly string[]): Promise<void> {
  const { connection, organization_id } = work;
  for (let count = PARTIALS_TOGETHER; count === PARTIALS_TOGETHER; ) {
    const rows = await connection.query<{ id: string }>(
      'SELECT id FROM forms_partials WHERE organization_id = $1 AND invitation_id = ANY ($2) ORDER BY id LIMIT $3',
      [organization_id, invitation_ids, PARTIALS_TOGETHER],
    );
    const ids = rows.map(({ id }) => id);
    count = await endPartials(work, ids);
  }
}
