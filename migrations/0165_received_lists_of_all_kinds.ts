import type { Knex } from 'knex';

/** Indexes are dropped beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** The columns that lists of all kinds are sorted by, each with the name of its index. */
const ORDERS = [
  ['day', 'retention_date'],
  ['total', 'total'],
  ['issue', 'issue_date'],
  ['due', 'due_date'],
  ['number', 'number'],
] as const;

/** Lists of all kinds of received documents merge the rows of each kind: each create writes five entries less. */
export async function up(knex: Knex): Promise<void> {
  for (const [name] of ORDERS) {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS received_documents_any_by_${name}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [name, column] of ORDERS) {
    // One whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS received_documents_any_by_${name}`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY received_documents_any_by_${name}
        ON received_documents (organization_id, ${column}, id)`);
  }
}
