import type { Knex } from 'knex';

/**
 * What an import says of itself: the columns of its file of which nothing is read, and each fault in both languages
 * (`message` is the English one; a row of before has it alone). Of a record that rows name again: `named_row` is the row
 * that named it first, and `name_key` a hash of that name, so that no name is kept here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE imports ADD COLUMN ignored_columns jsonb;
    ALTER TABLE import_outcomes ADD COLUMN named_row integer, ADD COLUMN name_key text COLLATE "C";
    ALTER TABLE import_errors ADD COLUMN message_ja text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE import_errors DROP COLUMN message_ja;
    ALTER TABLE import_outcomes DROP COLUMN name_key, DROP COLUMN named_row;
    ALTER TABLE imports DROP COLUMN ignored_columns;
  `);
}
