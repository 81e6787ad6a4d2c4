import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What mails of documents for signing say and to whom: a signer, or null for the sender. The mails of a document to one
 * recipient leave one after the other. `warn_at` is when a document that expires is warned of, `code_id` the code that a mail
 * carries, whose digits are drawn when it is sent. A reminder by hand has the words of who asked for it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sign_mails (
      organization_id ${id} NOT NULL,
      mail_id ${id} NOT NULL,
      document_id ${id} NOT NULL,
      signer_id ${id},
      kind ${id} NOT NULL,
      position bigint GENERATED ALWAYS AS IDENTITY,
      told jsonb NOT NULL,
      is_waiting boolean NOT NULL,
      is_ended boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, mail_id),
      FOREIGN KEY (organization_id, mail_id) REFERENCES mails (organization_id, id),
      FOREIGN KEY (organization_id, document_id) REFERENCES sign_documents (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sign_mails_of_document ON sign_mails (organization_id, document_id, signer_id, position);
    CREATE INDEX sign_mails_open ON sign_mails (organization_id, mail_id) WHERE NOT is_ended;

    ALTER TABLE sign_reminders ADD COLUMN message text;
    ALTER TABLE sign_documents ADD COLUMN warn_at timestamptz;
    CREATE INDEX sign_documents_to_warn ON sign_documents (warn_at) WHERE warn_at IS NOT NULL;
    CREATE INDEX sign_documents_failed ON sign_documents (updated_at) WHERE sealing_status = 'failed';
    CREATE INDEX sign_documents_open ON sign_documents (sent_at) WHERE status = 'sent';
    CREATE INDEX sign_signers_unknown ON sign_signers (notified_at) WHERE delivery = 'unknown';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX sign_signers_unknown, sign_documents_open, sign_documents_failed, sign_documents_to_warn;
    ALTER TABLE sign_documents DROP COLUMN warn_at;
    ALTER TABLE sign_reminders DROP COLUMN message;
    DROP TABLE sign_mails;
  `);
}
