import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What the law says of purchases from sellers without a registration number, each value with its first day; the last one
 * before a day holds on it. `share` is the percent of the tax that is deductible, `small_amount` the yen below which the
 * books alone suffice, `supplier_cap` the yen a year beyond which the share is not to be had of one seller. Rows with
 * `verify` are to be compared with the law as it was promulgated before anything is refused by them.
 * Source: Act no. 15 of 2016, supplementary provisions, articles 52, 53 and 53-2, as amended in 2026.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE received_tax_rules (
      rule ${id} NOT NULL CHECK (rule IN ('share', 'small_amount', 'supplier_cap')),
      valid_from date NOT NULL,
      value bigint NOT NULL CHECK (value >= 0),
      verify boolean NOT NULL DEFAULT false,
      PRIMARY KEY (rule, valid_from)
    );
    INSERT INTO received_tax_rules (rule, valid_from, value, verify) VALUES
      ('share', '0001-01-01', 100, false),
      ('share', '2023-10-01', 80, false),
      ('share', '2026-10-01', 70, false),
      ('share', '2028-10-01', 50, false),
      ('share', '2030-10-01', 30, false),
      ('share', '2031-10-01', 0, false),
      ('small_amount', '0001-01-01', 0, false),
      ('small_amount', '2023-10-01', 10000, false),
      ('small_amount', '2029-10-01', 0, false),
      ('supplier_cap', '0001-01-01', 1000000000, true),
      ('supplier_cap', '2026-10-01', 100000000, true);

    CREATE INDEX received_documents_not_qualified ON received_documents
      (organization_id, company_id, (coalesce(transaction_to, transaction_date, issue_date, received_on)))
      INCLUDE (id, total)
      WHERE kind = 'invoice' AND NOT qualified AND status IN ('approved', 'partially_paid', 'paid');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX received_documents_not_qualified;
    DROP TABLE received_tax_rules;
  `);
}
