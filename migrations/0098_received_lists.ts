import type { Knex } from 'knex';

/** What lists of received documents are sorted and found by: those of one kind, and those of all kinds together. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX received_documents_by_issue ON received_documents (organization_id, kind, issue_date, id);
    CREATE INDEX received_documents_by_due ON received_documents (organization_id, kind, due_date, id);
    CREATE INDEX received_documents_by_day ON received_documents (organization_id, kind, retention_date, id);
    CREATE INDEX received_documents_by_total ON received_documents (organization_id, kind, total, id);
    CREATE INDEX received_documents_by_number ON received_documents (organization_id, kind, number, id);
    CREATE INDEX received_documents_by_change ON received_documents (organization_id, kind, updated_at, id);
    CREATE INDEX received_documents_by_status ON received_documents (organization_id, kind, status, id);
    CREATE INDEX received_documents_incomplete ON received_documents (organization_id, kind, id) WHERE missing <> '[]';
    CREATE INDEX received_documents_without_file ON received_documents (organization_id, kind, id) WHERE file_count = 0;
    CREATE INDEX received_documents_any_by_making ON received_documents (organization_id, created_at, id);
    CREATE INDEX received_documents_any_by_day ON received_documents (organization_id, retention_date, id);
    CREATE INDEX received_documents_any_by_total ON received_documents (organization_id, total, id);
    CREATE INDEX received_documents_search ON received_documents USING gin (organization_id, search_grams);
    CREATE INDEX received_documents_partner ON received_documents USING gin (organization_id, partner_grams);
    CREATE INDEX received_documents_summed ON received_documents (organization_id, issue_date)
      INCLUDE (status, paid_on, qualified, total, non_deductible) WHERE kind = 'invoice';
    CREATE INDEX received_payments_summed ON received_payments (organization_id, paid_on) INCLUDE (amount);
    DROP INDEX received_payments_by_day;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX received_documents_by_issue, received_documents_by_due, received_documents_by_day,
      received_documents_by_total, received_documents_by_number, received_documents_by_change,
      received_documents_by_status, received_documents_incomplete, received_documents_without_file,
      received_documents_any_by_making, received_documents_any_by_day, received_documents_any_by_total,
      received_documents_search, received_documents_partner, received_documents_summed, received_payments_summed;
    CREATE INDEX received_payments_by_day ON received_payments (organization_id, paid_on, id);
  `);
}
