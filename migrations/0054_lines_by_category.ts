import type { Knex } from 'knex';

/** The lines of a category of tax, which may be rare among very many. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX accounting_lines_by_category ON accounting_lines (organization_id, tax_category, date, journal_id)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX accounting_lines_by_category');
}
