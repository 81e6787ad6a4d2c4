import type { Knex } from 'knex';

const KEY = '(organization_id, kind, external_id)';
const HAS_KEY = 'trashed_at IS NULL AND external_id IS NOT NULL';

/**
 * What lies below a folder in the trash frees its own key: another record that takes the key marks it, and who brings the
 * folder back finds the marked ones by an index. So a trip to the trash stays a change of one row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE cloud_items ADD COLUMN has_lost_key boolean NOT NULL DEFAULT false;
    DROP INDEX cloud_items_external_id_once;
    CREATE UNIQUE INDEX cloud_items_external_id_once ON cloud_items ${KEY} WHERE ${HAS_KEY} AND NOT has_lost_key;
    CREATE INDEX cloud_items_lost_keys ON cloud_items (organization_id, parent_id) WHERE has_lost_key;

    -- Files of records of other domains that a job is to copy, by the job's ID, until it has ended.
    CREATE TABLE cloud_copies (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      request jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX cloud_copies_by_age ON cloud_copies (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE cloud_items SET external_id = NULL WHERE has_lost_key;
    DROP INDEX cloud_items_external_id_once;
    ALTER TABLE cloud_items DROP COLUMN has_lost_key;
    DROP TABLE cloud_copies;
    CREATE UNIQUE INDEX cloud_items_external_id_once ON cloud_items ${KEY} WHERE ${HAS_KEY};
  `);
}
