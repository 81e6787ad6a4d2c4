import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Uploads that may be resumed. `storage_key` is there as long as the upload has bytes of its own: then its size stands in
 * `cloud_reservations` under its ID. `writer` names the request whose bytes arrive, `writer_process` the process that runs
 * it; 0 where nobody does and the store is to be asked how far it has come.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE cloud_uploads (
      organization_id ${id} NOT NULL,
      id ${id} NOT NULL,
      storage_key ${id},
      file_name text NOT NULL,
      folder_id ${id},
      file_id ${id},
      on_conflict ${id} NOT NULL CHECK (on_conflict IN ('rename', 'version')),
      declared_type text,
      announced_sha256 ${id},
      upload_metadata text,
      size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
      received_bytes bigint NOT NULL DEFAULT 0 CHECK (received_bytes BETWEEN 0 AND size_bytes),
      status ${id} NOT NULL CHECK (status IN ('receiving', 'completing', 'completed', 'failed', 'aborted', 'expired')),
      error ${id},
      sha256 ${id},
      content_type ${id},
      scan ${id},
      result_file_id ${id},
      writer ${id},
      writer_process integer,
      is_wanted boolean NOT NULL DEFAULT false,
      created_by ${id} NOT NULL,
      actor_type ${id} NOT NULL,
      actor_id ${id} NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK ((writer IS NULL) = (writer_process IS NULL)),
      CHECK (status IN ('receiving', 'completing', 'failed') OR storage_key IS NULL),
      CHECK (status NOT IN ('receiving', 'completing') OR storage_key IS NOT NULL)
    ) WITH (fillfactor = 80);
    CREATE INDEX cloud_uploads_by_creator ON cloud_uploads (organization_id, created_by, id);
    CREATE INDEX cloud_uploads_by_status ON cloud_uploads (organization_id, status, id);
    CREATE INDEX cloud_uploads_by_name ON cloud_uploads (organization_id, file_name, id);
    CREATE INDEX cloud_uploads_by_size ON cloud_uploads (organization_id, size_bytes, id);
    CREATE INDEX cloud_uploads_by_change ON cloud_uploads (organization_id, updated_at, id);
    CREATE INDEX cloud_uploads_with_bytes ON cloud_uploads (organization_id, created_by) WHERE storage_key IS NOT NULL;
    CREATE INDEX cloud_uploads_expiring ON cloud_uploads (expires_at) WHERE storage_key IS NOT NULL;
    CREATE INDEX cloud_uploads_ended ON cloud_uploads (updated_at) WHERE storage_key IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE cloud_uploads');
}
