import type { Knex } from 'knex';

/** The token of an invitation is that of a link, as those of all guests: its hash stands there. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE forms_invitations DROP COLUMN token_hash');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_invitations ADD COLUMN token_hash text COLLATE "C";
    CREATE UNIQUE INDEX forms_invitations_by_token ON forms_invitations (token_hash, organization_id);
  `);
}
