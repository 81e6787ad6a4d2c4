import type { Knex } from 'knex';

/**
 * What the account had after the line of a statement that a deposit was made of: equal lines of two accounts, or of two
 * halves of a day, differ in it. Null for what was recorded otherwise, and by the release before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE invoicing_deposits ADD COLUMN IF NOT EXISTS balance bigint');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE invoicing_deposits DROP COLUMN IF EXISTS balance');
}
