import type { Knex } from 'knex';

/**
 * Files in the store that no record names: those that are being written, and those to be removed. A write adds its
 * row here before its first byte, and what keeps the file takes the row away in its own transaction: so whatever dies
 * in between, no file is forgotten and none that is kept is removed.
 * Then the files of jobs, and which job makes the file that several may ask for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE loose_files (
      organization_id text COLLATE "C" NOT NULL,
      storage_key text COLLATE "C" NOT NULL,
      due_at timestamptz NOT NULL,
      is_removed boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, storage_key)
    );
    CREATE INDEX loose_files_by_due ON loose_files (due_at);

    CREATE TABLE job_files (
      organization_id text COLLATE "C" NOT NULL,
      job_id text COLLATE "C" NOT NULL,
      storage_key text COLLATE "C" NOT NULL,
      file_name text NOT NULL,
      media_type text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      sha256 text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, job_id),
      FOREIGN KEY (organization_id, job_id) REFERENCES jobs (organization_id, id)
    );
    CREATE INDEX job_files_by_age ON job_files (created_at);

    CREATE TABLE generated_files (
      organization_id text COLLATE "C" NOT NULL,
      content_key text COLLATE "C" NOT NULL,
      job_id text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, content_key),
      FOREIGN KEY (organization_id, job_id) REFERENCES jobs (organization_id, id)
    );
    CREATE INDEX generated_files_by_job ON generated_files (organization_id, job_id);
    CREATE INDEX generated_files_by_age ON generated_files (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE generated_files, job_files, loose_files');
}
