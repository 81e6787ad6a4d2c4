import type { Knex } from 'knex';

/** Each statement by itself, beside running writes: what waits for a table, waits without holding another one. */
export const config = { transaction: false };

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const YEN = 'bigint NOT NULL CHECK';

/**
 * Money as it came in, for invoices of one company, and what was paid back of it. What it pays are payments, which name
 * it; `allocated` is their sum, and those alone write it who hold the row of the deposit. `from_advances` tells the payments
 * that were made after their deposit: its entry has the money already.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS invoicing_deposits (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      company_id ${id},
      received_on date NOT NULL,
      amount ${YEN} (amount > 0),
      method ${id} NOT NULL CHECK (method IN ('bank_transfer', 'cash', 'card', 'other')),
      fee_amount ${YEN} (fee_amount >= 0),
      payer_name text,
      bank_reference text,
      note text,
      allocated ${YEN} (allocated >= 0),
      refunded ${YEN} (refunded >= 0),
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT invoicing_deposits_covered CHECK (allocated + refunded <= amount + fee_amount),
      FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id),
      FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
    );
    CREATE UNIQUE INDEX IF NOT EXISTS invoicing_deposits_external_id_once
      ON invoicing_deposits (organization_id, external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS invoicing_deposits_by_day ON invoicing_deposits (organization_id, received_on, id);
    CREATE INDEX IF NOT EXISTS invoicing_deposits_by_company
      ON invoicing_deposits (organization_id, company_id, id) WHERE company_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS invoicing_deposits_by_change ON invoicing_deposits (organization_id, updated_at, id);
    CREATE INDEX IF NOT EXISTS invoicing_deposits_open
      ON invoicing_deposits (organization_id, id) WHERE allocated + refunded < amount + fee_amount;

    CREATE TABLE IF NOT EXISTS invoicing_deposit_refunds (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      deposit_id ${id} NOT NULL,
      amount ${YEN} (amount > 0),
      refunded_on date NOT NULL,
      method ${id} NOT NULL CHECK (method IN ('bank_transfer', 'cash', 'card', 'other')),
      note text,
      created_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, deposit_id) REFERENCES invoicing_deposits (organization_id, id),
      FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
    );
    CREATE INDEX IF NOT EXISTS invoicing_deposit_refunds_by_deposit
      ON invoicing_deposit_refunds (organization_id, deposit_id, id);
  `);
  await knex.raw(`ALTER TABLE invoicing_payments ADD COLUMN IF NOT EXISTS deposit_id ${id}`);
  // A constant default is kept in the catalogue: no row is written.
  await knex.raw(
    'ALTER TABLE invoicing_payments ADD COLUMN IF NOT EXISTS from_advances boolean NOT NULL DEFAULT false',
  );
  await knex.raw(`ALTER TABLE invoicing_payments DROP CONSTRAINT IF EXISTS ${OF_DEPOSIT}`);
  await knex.raw(`
    ALTER TABLE invoicing_payments ADD CONSTRAINT ${OF_DEPOSIT}
      FOREIGN KEY (organization_id, deposit_id) REFERENCES invoicing_deposits (organization_id, id) NOT VALID`);
  await knex.raw(`ALTER TABLE invoicing_payments VALIDATE CONSTRAINT ${OF_DEPOSIT}`);
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_deposit');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY invoicing_payments_by_deposit
      ON invoicing_payments (organization_id, deposit_id, id) WHERE deposit_id IS NOT NULL`);
  await knex.raw(RELEASE_BEFORE);
}

const OF_DEPOSIT = 'invoicing_payments_organization_id_deposit_id_fkey';

/** The release before deletes a payment and knows no deposit: its amount is unallocated again all the same. */
const RELEASE_BEFORE = `
  CREATE OR REPLACE FUNCTION invoicing_deposit_released() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE invoicing_deposits
       SET allocated = allocated - OLD.amount,
           updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
     WHERE organization_id = OLD.organization_id AND id = OLD.deposit_id;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER invoicing_deposit_released AFTER DELETE ON invoicing_payments
    FOR EACH ROW WHEN (OLD.deposit_id IS NOT NULL) EXECUTE FUNCTION invoicing_deposit_released()`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS invoicing_deposit_released ON invoicing_payments');
  await knex.raw('DROP FUNCTION IF EXISTS invoicing_deposit_released');
  await knex.raw('ALTER TABLE invoicing_payments DROP COLUMN IF EXISTS from_advances');
  await knex.raw('ALTER TABLE invoicing_payments DROP COLUMN IF EXISTS deposit_id');
  await knex.raw('DROP TABLE IF EXISTS invoicing_deposit_refunds');
  await knex.raw('DROP TABLE IF EXISTS invoicing_deposits');
}
