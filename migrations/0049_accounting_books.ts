import type { Knex } from 'knex';

/**
 * The journal book goes by date and number, and begins a page behind an entry, also where thousands have one date; the
 * general ledger begins one behind a line that is named by its ID.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX accounting_journals_book ON accounting_journals (organization_id, date, number)
      WHERE number IS NOT NULL;
    CREATE UNIQUE INDEX accounting_lines_id_once ON accounting_lines (organization_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX accounting_journals_book, accounting_lines_id_once');
}
