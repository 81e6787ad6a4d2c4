import type { Knex } from 'knex';

/**
 * What the page of an issued document prints, frozen whole, and the PDF that was made of it once. Then what the page
 * of a draft printed when somebody asked for it, by the job that renders it, until it is rendered.
 * A job's file may be one that a record names: it is handed out for as long as the others, and then left alone. And
 * the delivery of a job is found by it, for whoever waits is to be served first.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invoicing_prints (
      organization_id text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      print jsonb NOT NULL,
      file_name text NOT NULL,
      template_version text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      storage_key text COLLATE "C",
      sha256 text COLLATE "C",
      size bigint,
      rendered_at timestamptz,
      error text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, document_id),
      FOREIGN KEY (organization_id, document_id) REFERENCES invoicing_documents (organization_id, id),
      CHECK (status IN ('rendering', 'ready', 'failed')),
      CHECK ((status = 'ready') = (storage_key IS NOT NULL))
    );

    CREATE TABLE invoicing_draft_prints (
      organization_id text COLLATE "C" NOT NULL,
      job_id text COLLATE "C" NOT NULL,
      print jsonb NOT NULL,
      file_name text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, job_id),
      FOREIGN KEY (organization_id, job_id) REFERENCES jobs (organization_id, id)
    );
    CREATE INDEX invoicing_draft_prints_by_age ON invoicing_draft_prints (created_at);

    ALTER TABLE job_files ADD COLUMN is_kept boolean NOT NULL DEFAULT false;
    CREATE INDEX outbox_by_job ON outbox (organization_id, job_id)
      WHERE job_id IS NOT NULL AND handed_over_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX outbox_by_job;
    ALTER TABLE job_files DROP COLUMN is_kept;
    DROP TABLE invoicing_draft_prints, invoicing_prints;
  `);
}
