import type { Knex } from 'knex';

/**
 * An invitation names the mail whose link accepts it (NULL: asked for before this release, or by it). Invitations
 * of people who have left, or who may no longer give the role, end: from now on that happens with their membership.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE invitations ADD COLUMN mail_id text COLLATE "C";

    UPDATE invitations SET status = 'revoked'
      FROM members
     WHERE invitations.status = 'pending'
       AND members.organization_id = invitations.organization_id AND members.user_id = invitations.invited_by
       AND (members.left_at IS NOT NULL
         OR members.role NOT IN ('owner', 'admin')
         OR (members.role = 'admin' AND invitations.role IN ('owner', 'admin')));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE invitations DROP COLUMN mail_id');
}
