import type { Knex } from 'knex';

/** Each statement by itself, beside running writes: what waits for a table, waits without holding another one. */
export const config = { transaction: false };

/** Rows that are filled at a time; they are locked meanwhile. */
const BATCH = 5_000;

/**
 * The day on which money came, as it was said: an instant alone is another day in another time zone. The release before
 * writes `paid_at` alone; so the day follows from it there, in the zone of the settings.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE invoicing_payments ADD COLUMN IF NOT EXISTS paid_on date');
  await knex.raw('ALTER TABLE invoicing_documents ADD COLUMN IF NOT EXISTS paid_on date');
  await knex.raw(`
    CREATE OR REPLACE FUNCTION invoicing_day_of(organization text, instant timestamptz)
      RETURNS date LANGUAGE sql STABLE AS $$
        SELECT (instant AT TIME ZONE coalesce(
          (SELECT time_zone FROM invoicing_settings WHERE organization_id = organization), 'Asia/Tokyo'))::date
      $$`);
  await knex.raw(`
    CREATE OR REPLACE FUNCTION invoicing_paid_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.paid_on := invoicing_day_of(NEW.organization_id, NEW.paid_at);
      RETURN NEW;
    END $$`);
  await knex.raw(`
    CREATE OR REPLACE TRIGGER invoicing_paid_on BEFORE INSERT ON invoicing_payments
      FOR EACH ROW WHEN (NEW.paid_on IS NULL) EXECUTE FUNCTION invoicing_paid_on()`);
  await knex.raw(`
    CREATE OR REPLACE TRIGGER invoicing_paid_on BEFORE UPDATE OF paid_at ON invoicing_documents
      FOR EACH ROW WHEN (NEW.paid_at IS DISTINCT FROM OLD.paid_at AND NEW.paid_on IS NOT DISTINCT FROM OLD.paid_on)
      EXECUTE FUNCTION invoicing_paid_on()`);
  await fillDays(knex, 'invoicing_payments');
  await fillDays(knex, 'invoicing_documents');
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_day');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY invoicing_payments_by_day ON invoicing_payments (organization_id, paid_on, id) INCLUDE (amount)',
  );
  await replaceIndexByIssue(knex, 'paid_on');
}

/** The index by day of issue, which holds what the dashboard adds up; the old one serves until the new one stands. */
async function replaceIndexByIssue(knex: Knex, paid: 'paid_on' | 'paid_at'): Promise<void> {
  const held = await knex.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_indexes WHERE schemaname = current_schema AND indexname = 'invoicing_documents_by_issue'
        AND indexdef LIKE ?`,
    [`% ${paid})%`],
  );
  if (held.rows.length > 0) return;
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_documents_by_issue_anew');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY invoicing_documents_by_issue_anew
      ON invoicing_documents (organization_id, kind, issue_date, id)
      INCLUDE (status, total, balance, due_date, company_id, ${paid})`);
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_documents_by_issue');
  await knex.raw('ALTER INDEX invoicing_documents_by_issue_anew RENAME TO invoicing_documents_by_issue');
}

/** Gives rows that were paid their day, some at a time. They are locked in the order of IDs, as other writers lock several. */
async function fillDays(knex: Knex, table: string): Promise<void> {
  let after = ['', ''];
  for (;;) {
    const { rows } = await knex.raw<{ rows: { organization_id: string; id: string }[] }>(
      `WITH batch AS (
         SELECT organization_id, id FROM ${table} WHERE (organization_id, id) > (?, ?)
          ORDER BY organization_id, id LIMIT ${BATCH}
       ), locked AS (
         SELECT organization_id, id FROM ${table}
          WHERE (organization_id, id) IN (SELECT organization_id, id FROM batch)
            AND paid_at IS NOT NULL AND paid_on IS NULL
          ORDER BY organization_id, id FOR UPDATE
       ), filled AS (
         UPDATE ${table} AS paid SET paid_on = invoicing_day_of(paid.organization_id, paid.paid_at)
           FROM locked WHERE paid.organization_id = locked.organization_id AND paid.id = locked.id
       )
       SELECT organization_id, id FROM batch ORDER BY organization_id DESC, id DESC LIMIT 1`,
      after,
    );
    const [last] = rows;
    if (!last) return;
    after = [last.organization_id, last.id];
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS invoicing_paid_on ON invoicing_documents');
  await knex.raw('DROP TRIGGER IF EXISTS invoicing_paid_on ON invoicing_payments');
  await knex.raw('DROP FUNCTION IF EXISTS invoicing_paid_on');
  await knex.raw('DROP FUNCTION IF EXISTS invoicing_day_of');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_day');
  await replaceIndexByIssue(knex, 'paid_at');
  await knex.raw('ALTER TABLE invoicing_documents DROP COLUMN IF EXISTS paid_on');
  await knex.raw('ALTER TABLE invoicing_payments DROP COLUMN IF EXISTS paid_on');
}
