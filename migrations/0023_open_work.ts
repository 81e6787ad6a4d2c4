import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

/** Work that has not ended, found without reading what has: it is looked for every few minutes. */
const indexes = {
  mails_open: "mails (organization_id, id) WHERE status IN ('queued', 'sending')",
  jobs_open: "jobs (organization_id, id) WHERE status IN ('queued', 'running')",
  imports_at_work: "imports (organization_id, id) WHERE status IN ('queued', 'running', 'reverting')",
  invoicing_prints_rendering: "invoicing_prints (organization_id, document_id) WHERE status = 'rendering'",
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
