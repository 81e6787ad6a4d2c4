import type { Knex } from 'knex';

/**
 * The triggers of the books look entries up one by one, by their keys. A session keeps their plans: one that was made when
 * the tables had few rows would have a batch of five hundred entries read whole tables, those of all organizations.
 * The sums of a company are found by its ID.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION accounting_keep_posted_lines() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off AS $$
    DECLARE
      entry record;
      posted text;
    BEGIN
      FOR entry IN SELECT DISTINCT organization_id, journal_id FROM changed LOOP
        SELECT id INTO posted FROM accounting_journals
         WHERE organization_id = entry.organization_id AND id = entry.journal_id
           AND posted_at IS NOT NULL AND posted_in <> pg_current_xact_id();
        IF FOUND THEN
          RAISE integrity_constraint_violation USING CONSTRAINT = 'accounting_lines_posted',
            TABLE = 'accounting_lines', MESSAGE = format('The entry %s is posted', posted);
        END IF;
      END LOOP;
      RETURN NULL;
    END $$;
    ALTER FUNCTION accounting_require_balance() SET enable_seqscan = off;
    CREATE INDEX accounting_months_by_company ON accounting_months_by_dimension (organization_id, company_id, month);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION accounting_keep_posted_lines() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      posted text;
    BEGIN
      SELECT journal.id INTO posted FROM changed
        JOIN accounting_journals AS journal
          ON journal.organization_id = changed.organization_id AND journal.id = changed.journal_id
       WHERE journal.posted_at IS NOT NULL AND journal.posted_in <> pg_current_xact_id() LIMIT 1;
      IF FOUND THEN
        RAISE integrity_constraint_violation USING CONSTRAINT = 'accounting_lines_posted',
          TABLE = 'accounting_lines', MESSAGE = format('The entry %s is posted', posted);
      END IF;
      RETURN NULL;
    END $$;
    ALTER FUNCTION accounting_require_balance() RESET ALL;
    DROP INDEX accounting_months_by_company;
  `);
}
