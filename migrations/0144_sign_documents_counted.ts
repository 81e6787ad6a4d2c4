import type { Knex } from 'knex';

/** The line of the sum. */
const SUM = '00000000-0000-0000-0000-000000000000';

/**
 * The ledger counts the documents for signing that are not erased. An erasure keeps the row, so it is counted by a trigger of its
 * own, which runs for rows whose `erased_at` changes and for no other update.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION count_rows_not_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_counts (organization_id, counted, kind, rows)
        SELECT organization_id, TG_TABLE_NAME, '', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
          FROM changed WHERE erased_at IS NULL GROUP BY organization_id;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_counts (organization_id, counted, kind, rows)
        VALUES (NEW.organization_id, TG_TABLE_NAME, '', CASE WHEN NEW.erased_at IS NULL THEN 1 ELSE -1 END);
      RETURN NULL;
    END $$;
    CREATE TRIGGER row_counts_added AFTER INSERT ON sign_documents REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows_not_erased();
    CREATE TRIGGER row_counts_removed AFTER DELETE ON sign_documents REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows_not_erased();
    CREATE TRIGGER row_counts_erased AFTER UPDATE OF erased_at ON sign_documents FOR EACH ROW
      WHEN ((OLD.erased_at IS NULL) <> (NEW.erased_at IS NULL)) EXECUTE FUNCTION count_erasure();
    INSERT INTO row_counts (organization_id, counted, kind, line, rows)
      SELECT organization_id, 'sign_documents', '', '${SUM}', count(*) FROM sign_documents WHERE erased_at IS NULL GROUP BY 1;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER row_counts_added ON sign_documents;
    DROP TRIGGER row_counts_removed ON sign_documents;
    DROP TRIGGER row_counts_erased ON sign_documents;
    DROP FUNCTION count_rows_not_erased();
    DROP FUNCTION count_erasure();
    DELETE FROM row_counts WHERE counted = 'sign_documents';
  `);
}
