import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

const NAMES = '(organization_id, kind, name_key, id)';
const LIVING = 'WHERE trashed_at IS NULL AND length(name_key) > 0';

/**
 * The index of all names, with what a search by name looks at, in the place of the one without it: a common word is looked for
 * in the index alone. That serves only pages of the table that are known to be visible to all, so the table is vacuumed
 * once a twentieth of it is new, not a fifth.
 */
export async function up(knex: Knex): Promise<void> {
  await replace(knex, {
    made: 'cloud_items_names_searched',
    definition: `${NAMES} INCLUDE (parent_id, search_text) ${LIVING}`,
    dropped: 'cloud_items_by_name_alone',
  });
  await knex.raw('ALTER TABLE cloud_items SET (autovacuum_vacuum_insert_scale_factor = 0.05)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cloud_items RESET (autovacuum_vacuum_insert_scale_factor)');
  await replace(knex, {
    made: 'cloud_items_by_name_alone',
    definition: `${NAMES} ${LIVING}`,
    dropped: 'cloud_items_names_searched',
  });
}

type Replacement = { made: string; definition: string; dropped: string };

/** The new one is there before the old one goes: neither release is ever without. */
async function replace(knex: Knex, { made, definition, dropped }: Replacement): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${made}`);
  await knex.raw(`CREATE INDEX CONCURRENTLY ${made} ON cloud_items ${definition}`);
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${dropped}`);
}
