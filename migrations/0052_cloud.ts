import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/**
 * Folders and files are rows of one table, since a name is taken by either. A move or a trip to the trash changes one row,
 * whatever lies below; a folder knows how many living children it has. A file carries what its current version says.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE cloud_items (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      kind ${id} NOT NULL CHECK (kind IN ('folder', 'file')),
      parent_id ${id},
      name text NOT NULL,
      name_key ${id} NOT NULL,
      description text,
      retention_until date,
      held_until date,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      created_by ${id},
      updated_by ${id},
      trashed_at timestamptz,
      trashed_by ${id},
      is_purged boolean NOT NULL DEFAULT false,
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,

      is_restricted boolean NOT NULL DEFAULT false,
      restricted_by ${id},
      folder_count integer NOT NULL DEFAULT 0 CHECK (folder_count >= 0),
      file_count integer NOT NULL DEFAULT 0 CHECK (file_count >= 0),

      version_id ${id},
      version_number integer,
      size_bytes bigint,
      content_type ${id},
      declared_type text,
      extension ${id},
      sha256 ${id},
      storage_key ${id},

      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, parent_id) REFERENCES cloud_items (organization_id, id),
      CHECK (kind = 'file' OR num_nonnulls(version_id, version_number, size_bytes, content_type, extension, sha256, storage_key) = 0),
      CHECK (kind = 'folder' OR num_nulls(version_id, version_number, size_bytes, content_type, extension, sha256, storage_key) = 0),
      CHECK (kind = 'folder' OR NOT is_restricted AND folder_count + file_count = 0),
      CHECK (trashed_at IS NOT NULL OR NOT is_purged),
      CHECK (retention_until IS NULL OR held_until >= retention_until)
    ) WITH (fillfactor = 80);
    CREATE UNIQUE INDEX cloud_items_name_once ON cloud_items (organization_id, coalesce(parent_id, ''), name_key)
      WHERE trashed_at IS NULL;
    CREATE UNIQUE INDEX cloud_items_external_id_once ON cloud_items (organization_id, kind, external_id)
      WHERE trashed_at IS NULL AND external_id IS NOT NULL;
    CREATE INDEX cloud_items_by_id ON cloud_items (organization_id, kind, id) WHERE trashed_at IS NULL;
    CREATE INDEX cloud_items_by_name ON cloud_items (organization_id, parent_id, kind DESC, name_key, id)
      WHERE trashed_at IS NULL;
    CREATE INDEX cloud_items_in_folder ON cloud_items (organization_id, parent_id, kind, id);
    CREATE INDEX cloud_items_by_change ON cloud_items (organization_id, kind, updated_at, id);
    CREATE INDEX cloud_items_by_size ON cloud_items (organization_id, size_bytes, id) WHERE kind = 'file';
    CREATE INDEX cloud_items_by_content ON cloud_items (organization_id, sha256) WHERE kind = 'file';
    CREATE INDEX cloud_items_in_trash ON cloud_items (organization_id, trashed_at, id) WHERE trashed_at IS NOT NULL;
    CREATE INDEX cloud_items_trashed_folders ON cloud_items (organization_id, id)
      WHERE kind = 'folder' AND trashed_at IS NOT NULL;
    CREATE INDEX cloud_items_trash_due ON cloud_items (trashed_at) WHERE trashed_at IS NOT NULL;
    CREATE INDEX cloud_items_with_versions ON cloud_items (organization_id, id) WHERE version_number > 1;
    CREATE INDEX cloud_items_restricted ON cloud_items (organization_id, id) WHERE is_restricted;
    CREATE INDEX cloud_items_held ON cloud_items (organization_id, parent_id, held_until)
      WHERE held_until IS NOT NULL;
    CREATE INDEX cloud_items_search ON cloud_items USING gin (organization_id, search_grams);

    CREATE TABLE cloud_grants (
      ${ORGANIZATION},
      folder_id ${id} NOT NULL,
      type ${id} NOT NULL CHECK (type IN ('user', 'department', 'role')),
      id ${id} NOT NULL,
      role ${id} NOT NULL CHECK (role IN ('viewer', 'editor', 'manager')),
      PRIMARY KEY (organization_id, folder_id, type, id),
      FOREIGN KEY (organization_id, folder_id) REFERENCES cloud_items (organization_id, id) ON DELETE CASCADE
    );

    CREATE TABLE cloud_versions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      file_id ${id} NOT NULL,
      number integer NOT NULL CHECK (number > 0),
      size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
      content_type ${id} NOT NULL,
      declared_type text,
      sha256 ${id} NOT NULL,
      storage_key ${id} NOT NULL,
      keep boolean NOT NULL DEFAULT false,
      created_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, file_id, number),
      FOREIGN KEY (organization_id, file_id) REFERENCES cloud_items (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX cloud_versions_by_content ON cloud_versions (organization_id, storage_key);
    CREATE INDEX cloud_versions_by_age ON cloud_versions (organization_id, created_at);
    ALTER TABLE cloud_items ADD CONSTRAINT cloud_items_version FOREIGN KEY (organization_id, version_id)
      REFERENCES cloud_versions (organization_id, id) DEFERRABLE INITIALLY DEFERRED;
    CREATE INDEX cloud_items_by_version ON cloud_items (organization_id, version_id) WHERE version_id IS NOT NULL;

    CREATE TABLE cloud_links (
      ${ORGANIZATION},
      file_id ${id} NOT NULL,
      type ${id} NOT NULL,
      id ${id} NOT NULL,
      PRIMARY KEY (organization_id, file_id, type, id),
      FOREIGN KEY (organization_id, file_id) REFERENCES cloud_items (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX cloud_links_by_record ON cloud_links (organization_id, type, id, file_id);

    CREATE TABLE cloud_usage (
      ${ORGANIZATION},
      used_bytes bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
      reserved_bytes bigint NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0),
      PRIMARY KEY (organization_id)
    ) WITH (fillfactor = 50);
    CREATE TABLE cloud_reservations (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      bytes bigint NOT NULL CHECK (bytes >= 0),
      due_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX cloud_reservations_due ON cloud_reservations (due_at);

    CREATE TABLE cloud_settings (
      ${ORGANIZATION},
      quota_bytes bigint CHECK (quota_bytes >= 0),
      trash_days integer NOT NULL,
      version_days integer NOT NULL,
      version_count integer NOT NULL,
      share_max_days integer,
      share_password_required boolean NOT NULL,
      shares_enabled boolean NOT NULL,
      share_unscanned boolean NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE cloud_items DROP CONSTRAINT cloud_items_version;
    DROP TABLE cloud_settings, cloud_reservations, cloud_usage, cloud_links, cloud_versions, cloud_grants, cloud_items;
  `);
}
