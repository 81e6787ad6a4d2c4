import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Shares of folders and files. Their links stand in `links`, as those of all guests: what is unique over organizations
 * stands in few small tables. A share goes with its item; its link stays, and is told from one that never was.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE cloud_shares (
      organization_id ${id} NOT NULL,
      id ${id} NOT NULL,
      item_id ${id} NOT NULL,
      password_hash text,
      starts_at timestamptz,
      expires_at timestamptz,
      max_downloads integer CHECK (max_downloads > 0),
      download_count integer NOT NULL DEFAULT 0 CHECK (download_count >= 0),
      last_download_at timestamptz,
      revoked_at timestamptz,
      created_by ${id} NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, item_id) REFERENCES cloud_items (organization_id, id) ON DELETE CASCADE,
      CHECK (expires_at > starts_at)
    ) WITH (fillfactor = 80);
    CREATE INDEX cloud_shares_by_item ON cloud_shares (organization_id, item_id, id);
    CREATE INDEX cloud_shares_by_change ON cloud_shares (organization_id, updated_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE cloud_shares');
}
