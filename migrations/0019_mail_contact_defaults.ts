import type { Knex } from 'knex';

/** What nearly all new contacts have is not sent for each of a million rows: the server need not read it then. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE mail_contacts ALTER COLUMN status SET DEFAULT 'active', ALTER COLUMN attributes SET DEFAULT '{}'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE mail_contacts ALTER COLUMN status DROP DEFAULT, ALTER COLUMN attributes DROP DEFAULT',
  );
}
