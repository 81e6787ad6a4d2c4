import type { Knex } from 'knex';

/** Operators see how many files of the last days could not be read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'CREATE INDEX received_files_unreadable ON received_files (uploaded_at) WHERE is_unreadable',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX received_files_unreadable');
}
