import type { Knex } from 'knex';

/**
 * Files that came from outside and that a record keeps: what they were told to be, the hash that they had as they
 * arrived, and what the scanner said of them. Images of letterheads that are there already are added with the hash that
 * they are known by.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE files (
      organization_id text COLLATE "C" NOT NULL,
      storage_key text COLLATE "C" NOT NULL,
      file_name text NOT NULL,
      declared_type text NOT NULL,
      content_type text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      sha256 text COLLATE "C" NOT NULL,
      scan text COLLATE "C" NOT NULL
        CHECK (scan IN ('off', 'pending', 'clean', 'quarantined', 'unscanned')),
      finding text,
      scan_due_at timestamptz,
      scanned_at timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, storage_key),
      CHECK ((scan = 'pending') = (scan_due_at IS NOT NULL)),
      CHECK ((scan = 'quarantined') = (finding IS NOT NULL))
    );
    CREATE INDEX files_to_scan ON files (scan_due_at) WHERE scan = 'pending';

    -- A file is kept or loose. The release before gives files up without a look at this table, so the database removes
    -- the row of a file that becomes loose, whoever releases it.
    CREATE FUNCTION forget_released_files() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM files USING released
          WHERE files.organization_id = released.organization_id AND files.storage_key = released.storage_key;
        RETURN NULL;
      END $$;
    CREATE TRIGGER loose_files_are_not_kept AFTER INSERT ON loose_files
      REFERENCING NEW TABLE AS released FOR EACH STATEMENT EXECUTE FUNCTION forget_released_files();

    INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
    SELECT organization_id, storage_key, sha256, media_type, media_type, size, sha256, 'off', created_at
      FROM invoicing_images;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER loose_files_are_not_kept ON loose_files;
    DROP FUNCTION forget_released_files;
    DROP TABLE files;
  `);
}
