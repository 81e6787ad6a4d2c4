import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What of the settings a campaign's mails tell is kept with it from its start on: the mails, the numbers of their links and the
 * page that shows a mail follow from it. `start_delivery_id` is the delivery that starts a scheduled one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE mail_campaigns ADD COLUMN sender jsonb, ADD COLUMN start_delivery_id ${id}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_campaigns DROP COLUMN sender, DROP COLUMN start_delivery_id');
}
