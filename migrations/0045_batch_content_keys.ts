import type { Knex } from 'knex';

/** Of files of many: the content whose making was asked for, by record. It is asked for once, however often it is looked for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE batch_entries ADD COLUMN content_key text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE batch_entries DROP COLUMN content_key');
}
