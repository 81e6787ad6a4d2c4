import type { Knex } from 'knex';

/**
 * Imports of all domains, what became of each record that one met, and its faulty rows.
 * `checkpoint_byte` and `checkpoint_row` move with the rows of each chunk: a run goes on there, and a second run that
 * believes in another place stops. `first_id` and `last_id` bound the IDs that the import gave, so that a revert finds
 * its rows by the primary key.
 * An outcome's key is the record's ID, or what a record is told by where there is none. `before` holds
 * `{ field: [before, after] }` of what the import overwrote. Neither outcomes nor errors have a foreign key: imports
 * are never deleted, and a check a row is what a bulk load pays most for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE imports (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      list_id text COLLATE "C",
      job_id text COLLATE "C",
      status text COLLATE "C" NOT NULL CHECK (status IN
        ('queued', 'running', 'paused', 'completed', 'failed', 'cancelled', 'reverting', 'reverted')),
      error jsonb,
      file_name text NOT NULL,
      file_bytes bigint NOT NULL,
      storage_key text COLLATE "C",
      options jsonb NOT NULL,
      encoding text COLLATE "C",
      delimiter text COLLATE "C",
      has_header boolean,
      columns jsonb,
      mapping jsonb,
      on_conflict text COLLATE "C" NOT NULL CHECK (on_conflict IN ('update', 'fill_blank', 'skip')),
      dry_run boolean NOT NULL,
      checkpoint_byte bigint,
      checkpoint_row integer,
      total_rows integer,
      processed_rows integer NOT NULL DEFAULT 0,
      created_count integer NOT NULL DEFAULT 0,
      updated_count integer NOT NULL DEFAULT 0,
      unchanged_count integer NOT NULL DEFAULT 0,
      skipped_count integer NOT NULL DEFAULT 0,
      duplicate_count integer NOT NULL DEFAULT 0,
      suppressed_count integer NOT NULL DEFAULT 0,
      error_count integer NOT NULL DEFAULT 0,
      running_milliseconds bigint NOT NULL DEFAULT 0,
      first_id text COLLATE "C",
      last_id text COLLATE "C",
      revert jsonb,
      actor_type text COLLATE "C" NOT NULL,
      actor_id text COLLATE "C" NOT NULL,
      created_by text COLLATE "C",
      request_id text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      reverted_at timestamptz,
      is_swept boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX imports_by_kind ON imports (organization_id, kind, id);
    CREATE INDEX imports_by_change ON imports (organization_id, updated_at, id);
    CREATE INDEX imports_to_sweep ON imports (finished_at) WHERE finished_at IS NOT NULL AND NOT is_swept;

    CREATE TABLE import_outcomes (
      organization_id text COLLATE "C" NOT NULL,
      import_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      outcome text COLLATE "C" NOT NULL
        CHECK (outcome IN ('created', 'updated', 'unchanged', 'skipped', 'suppressed')),
      before jsonb,
      changed_at timestamptz,
      PRIMARY KEY (organization_id, import_id, key)
    );
    CREATE INDEX import_outcomes_by_key ON import_outcomes (organization_id, key);

    CREATE TABLE import_errors (
      organization_id text COLLATE "C" NOT NULL,
      import_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      row integer NOT NULL,
      code text COLLATE "C" NOT NULL,
      "column" text,
      message text NOT NULL,
      cells jsonb NOT NULL,
      PRIMARY KEY (organization_id, import_id, id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE import_errors, import_outcomes, imports');
}
