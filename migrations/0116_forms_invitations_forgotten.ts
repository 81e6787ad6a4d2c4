import type { Knex } from 'knex';

/** An invitation whose address was erased stays without it, because its response names it. What was saved by it is found by it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_invitations ALTER COLUMN email DROP NOT NULL, ALTER COLUMN email_key DROP NOT NULL;
    CREATE INDEX forms_partials_of_invitation ON forms_partials (organization_id, invitation_id)
      WHERE invitation_id IS NOT NULL;
  `);
}

/** Forgotten addresses do not come back: an empty one stands for them. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX forms_partials_of_invitation;
    UPDATE forms_invitations SET email = '', email_key = '' WHERE email IS NULL;
    ALTER TABLE forms_invitations ALTER COLUMN email SET NOT NULL, ALTER COLUMN email_key SET NOT NULL;
  `);
}
