import type { Knex } from 'knex';

/**
 * What was mailed of documents, to whom and with which words; how it fared stands in `mails`. `is_waiting` until the
 * PDF is there: then the mail's delivery is asked for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invoicing_emails (
      organization_id text COLLATE "C" NOT NULL,
      mail_id text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      job_id text COLLATE "C" NOT NULL,
      "to" text[] NOT NULL,
      cc text[] NOT NULL,
      subject text NOT NULL,
      message text NOT NULL,
      is_waiting boolean NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, mail_id),
      FOREIGN KEY (organization_id, mail_id) REFERENCES mails (organization_id, id),
      FOREIGN KEY (organization_id, document_id)
        REFERENCES invoicing_documents (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX invoicing_emails_by_document ON invoicing_emails (organization_id, document_id, mail_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE invoicing_emails');
}
