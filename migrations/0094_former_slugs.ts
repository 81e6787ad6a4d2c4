import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/** The slugs that organizations had before: their pages lead on to the present one, whoever had one last. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE former_slugs (
      organization_id ${id} NOT NULL,
      slug ${id} NOT NULL,
      left_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, slug)
    );
    CREATE INDEX former_slugs_by_slug ON former_slugs (slug, left_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE former_slugs');
}
