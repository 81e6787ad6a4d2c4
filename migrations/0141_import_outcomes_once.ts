import type { Knex } from 'knex';

/** Indexes are built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

/**
 * What became of a record is asked by the record (by other imports, when one is undone) and by import and record. One index
 * answers both: the second one, over other columns in another order, took as long to fill as a fifth of an import of known rows.
 * What belongs to one import alone is read in the order of the records, from one to the next: undoing and forgetting pass by
 * what other imports of the same month have met.
 */
export async function up(knex: Knex): Promise<void> {
  await exchange(knex, 'organization_id, key, import_id', 'organization_id, import_id, key');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS import_outcomes_by_key');
}

export async function down(knex: Knex): Promise<void> {
  await exchange(knex, 'organization_id, import_id, key', 'organization_id, key, import_id');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS import_outcomes_by_key ON import_outcomes (organization_id, key)',
  );
}

/** Gives the table a primary key of the same columns in another order, unless it has it. */
async function exchange(knex: Knex, columns: string, before: string): Promise<void> {
  const { rows } = await knex.raw(
    "SELECT FROM pg_constraint WHERE conname = 'import_outcomes_pkey' AND pg_get_constraintdef(oid) = ?",
    [`PRIMARY KEY (${before})`],
  );
  if (rows.length === 0) return;
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS import_outcomes_once');
  await knex.raw(`CREATE UNIQUE INDEX CONCURRENTLY import_outcomes_once ON import_outcomes (${columns})`);
  await knex.raw(`
    SET LOCAL lock_timeout = '10s';
    ALTER TABLE import_outcomes DROP CONSTRAINT import_outcomes_pkey,
      ADD CONSTRAINT import_outcomes_pkey PRIMARY KEY USING INDEX import_outcomes_once;
  `);
}
