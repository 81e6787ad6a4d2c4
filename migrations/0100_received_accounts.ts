import type { Knex } from 'knex';

/** An account that a line of a received document names is not removed: the entry of the document would have no place. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE received_lines AS line SET account_id = NULL
     WHERE account_id IS NOT NULL AND NOT EXISTS (
           SELECT FROM accounting_accounts AS account
            WHERE account.organization_id = line.organization_id AND account.id = line.account_id);
    CREATE INDEX received_lines_by_account ON received_lines (organization_id, account_id)
      WHERE account_id IS NOT NULL;
    ALTER TABLE received_lines ADD CONSTRAINT received_lines_account_fkey
      FOREIGN KEY (organization_id, account_id) REFERENCES accounting_accounts (organization_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE received_lines DROP CONSTRAINT received_lines_account_fkey;
    DROP INDEX received_lines_by_account;
  `);
}
