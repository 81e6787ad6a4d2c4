import type { Knex } from 'knex';

/**
 * Rows of imports whose records have rows anywhere in the file: they wait here until all of it is read, in the order of the
 * keys of their records. `waiting_rows` counts those without fault.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE import_rows (
      organization_id text COLLATE "C" NOT NULL,
      import_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      row integer NOT NULL,
      cells jsonb NOT NULL,
      fields jsonb NOT NULL,
      faulty_fields jsonb,
      bytes integer NOT NULL,
      PRIMARY KEY (organization_id, import_id, key, row)
    );
    ALTER TABLE imports ADD COLUMN waiting_rows integer NOT NULL DEFAULT 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE imports DROP COLUMN waiting_rows; DROP TABLE import_rows');
}
