import type { Knex } from 'knex';

/** Faulty rows are swept together with the values from before: once more where those were swept without them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('UPDATE imports SET is_swept = false WHERE is_swept AND error_count > 0');
}

export async function down(): Promise<void> {}
