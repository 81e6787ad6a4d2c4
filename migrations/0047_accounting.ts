import type { Knex } from 'knex';

/**
 * Double-entry books. An entry has its number, day and kind in its lines too once it is posted (`number` is null before):
 * the ledger reads lines alone. Rollups hold the sums of posted lines, written in the transaction that posts: by day and
 * by month for the statements, and by month with company, department and category for what is asked by those.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TABLES);
  await knex.raw(ROLLUPS);
  await knex.raw(BALANCE);
  await knex.raw(POSTED);
}

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const TIMES = 'created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL';

const TABLES = `
  CREATE TABLE accounting_settings (
    ${ORGANIZATION} PRIMARY KEY,
    approval jsonb NOT NULL,
    auto_journal ${id} NOT NULL CHECK (auto_journal IN ('off', 'draft', 'post')),
    account_map jsonb NOT NULL,
    updated_at timestamptz NOT NULL
  );

  CREATE TABLE accounting_accounts (
    ${ORGANIZATION},
    id ${id} NOT NULL,
    code ${id} NOT NULL,
    name text NOT NULL,
    name_en text,
    account_type ${id} NOT NULL CHECK (account_type IN ('asset', 'liability', 'equity', 'revenue', 'expense')),
    section ${id} NOT NULL,
    cf_class ${id} NOT NULL,
    cf_adjustment ${id},
    parent_id ${id},
    description text,
    tax_category ${id} NOT NULL,
    is_active boolean NOT NULL,
    external_id ${id},
    metadata jsonb NOT NULL,
    search_text text NOT NULL,
    ${TIMES},
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, parent_id) REFERENCES accounting_accounts (organization_id, id)
  );
  CREATE UNIQUE INDEX accounting_accounts_code_once ON accounting_accounts (organization_id, code);
  CREATE UNIQUE INDEX accounting_accounts_external_id_once ON accounting_accounts (organization_id, external_id);
  CREATE INDEX accounting_accounts_by_parent ON accounting_accounts (organization_id, parent_id)
    WHERE parent_id IS NOT NULL;
  CREATE INDEX accounting_accounts_by_change ON accounting_accounts (organization_id, updated_at, id);

  CREATE TABLE accounting_fiscal_years (
    ${ORGANIZATION},
    id ${id} NOT NULL,
    name text NOT NULL,
    start_date date NOT NULL,
    end_date date NOT NULL CHECK (end_date > start_date),
    status ${id} NOT NULL CHECK (status IN ('open', 'closed')),
    tax_books ${id} NOT NULL CHECK (tax_books IN ('exclusive', 'inclusive')),
    tax_rounding ${id} NOT NULL CHECK (tax_rounding IN ('floor', 'round', 'ceil')),
    closing_journal_id ${id},
    closed_at timestamptz,
    closed_by ${id},
    last_number integer NOT NULL DEFAULT 0,
    ${TIMES},
    PRIMARY KEY (organization_id, id)
  );
  CREATE UNIQUE INDEX accounting_fiscal_years_start_once ON accounting_fiscal_years (organization_id, start_date);

  CREATE TABLE accounting_period_locks (
    ${ORGANIZATION},
    id ${id} NOT NULL,
    "from" date,
    "to" date NOT NULL,
    level ${id} NOT NULL CHECK (level IN ('soft', 'hard')),
    scope ${id} NOT NULL CHECK (scope IN ('all', 'sales', 'purchases', 'manual')),
    reason text,
    fiscal_year_id ${id},
    created_by ${id},
    ${TIMES},
    PRIMARY KEY (organization_id, id)
  );
  CREATE INDEX accounting_period_locks_by_end ON accounting_period_locks (organization_id, "to");
  CREATE UNIQUE INDEX accounting_period_locks_of_year ON accounting_period_locks (organization_id, fiscal_year_id);

  CREATE TABLE accounting_journals (
    ${ORGANIZATION},
    id ${id} NOT NULL,
    fiscal_year_id ${id} NOT NULL,
    number integer,
    date date NOT NULL,
    description text,
    kind ${id} NOT NULL CHECK (kind IN ('normal', 'adjusting', 'opening', 'reversal', 'closing')),
    kind_group ${id} NOT NULL CHECK (kind_group IN ('opening', 'normal', 'adjusting', 'closing')),
    status ${id} NOT NULL CHECK (status IN ('draft', 'submitted', 'approved', 'rejected', 'posted', 'voided')),
    reference text,
    external_id ${id},
    metadata jsonb NOT NULL,
    source_type ${id},
    source_id ${id},
    reverses ${id},
    reversed_by ${id},
    total bigint NOT NULL,
    line_count integer NOT NULL,
    round integer NOT NULL,
    approver_ids text[],
    void_reason text,
    created_by ${id},
    edited_by ${id},
    submitted_by ${id},
    submitted_at timestamptz,
    approved_by ${id},
    approved_at timestamptz,
    posted_by ${id},
    posted_at timestamptz,
    posted_on date,
    posted_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
    voided_by ${id},
    voided_at timestamptz,
    search_text text NOT NULL,
    search_grams integer[] NOT NULL,
    ${TIMES},
    PRIMARY KEY (organization_id, id),
    CHECK ((posted_at IS NULL) = (number IS NULL)),
    CHECK ((status IN ('posted', 'voided')) = (posted_at IS NOT NULL)),
    FOREIGN KEY (organization_id, fiscal_year_id) REFERENCES accounting_fiscal_years (organization_id, id)
  );
  CREATE UNIQUE INDEX accounting_journals_number_once ON accounting_journals (organization_id, fiscal_year_id, number);
  CREATE UNIQUE INDEX accounting_journals_external_id_once ON accounting_journals (organization_id, external_id);
  CREATE UNIQUE INDEX accounting_journals_source_once
    ON accounting_journals (organization_id, source_type, source_id) WHERE status = 'posted' AND reverses IS NULL;
  CREATE INDEX accounting_journals_by_source ON accounting_journals (organization_id, source_id)
    WHERE source_id IS NOT NULL;
  CREATE INDEX accounting_journals_search ON accounting_journals USING gin (organization_id, search_grams);
  CREATE INDEX accounting_journals_by_date ON accounting_journals (organization_id, date, id);
  CREATE INDEX accounting_journals_by_total ON accounting_journals (organization_id, total, id);
  CREATE INDEX accounting_journals_by_change ON accounting_journals (organization_id, updated_at, id);
  CREATE INDEX accounting_journals_unposted ON accounting_journals (organization_id, date)
    WHERE posted_at IS NULL;

  CREATE TABLE accounting_lines (
    ${ORGANIZATION},
    journal_id ${id} NOT NULL,
    line integer NOT NULL,
    id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    debit bigint NOT NULL,
    credit bigint NOT NULL,
    tax_category ${id} NOT NULL,
    company_id ${id},
    department_id ${id},
    description text,
    date date NOT NULL,
    number integer,
    kind_group ${id} NOT NULL,
    PRIMARY KEY (organization_id, journal_id, line),
    CHECK (least(debit, credit) = 0 AND greatest(debit, credit) > 0),
    FOREIGN KEY (organization_id, journal_id) REFERENCES accounting_journals (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, account_id) REFERENCES accounting_accounts (organization_id, id)
  );
  CREATE INDEX accounting_lines_ledger ON accounting_lines (organization_id, account_id, date, number, line)
    INCLUDE (debit, credit);
  CREATE INDEX accounting_lines_by_company ON accounting_lines (organization_id, company_id, journal_id)
    WHERE company_id IS NOT NULL;

  CREATE TABLE accounting_approvals (
    ${ORGANIZATION},
    id ${id} NOT NULL,
    journal_id ${id} NOT NULL,
    round integer NOT NULL,
    action ${id} NOT NULL CHECK (action IN ('submit', 'approve', 'reject', 'withdraw')),
    user_id ${id},
    comment text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, journal_id) REFERENCES accounting_journals (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX accounting_approvals_by_journal ON accounting_approvals (organization_id, journal_id, id);
`;

const SUMS = 'debit bigint NOT NULL, credit bigint NOT NULL';

const ROLLUPS = `
  CREATE TABLE accounting_days (
    ${ORGANIZATION},
    account_id ${id} NOT NULL,
    kind_group ${id} NOT NULL,
    date date NOT NULL,
    ${SUMS},
    PRIMARY KEY (organization_id, account_id, kind_group, date)
  );
  CREATE TABLE accounting_months (
    ${ORGANIZATION},
    account_id ${id} NOT NULL,
    kind_group ${id} NOT NULL,
    month date NOT NULL,
    ${SUMS},
    CONSTRAINT accounting_months_most CHECK (greatest(debit, credit) < 1000000000000000),
    PRIMARY KEY (organization_id, account_id, kind_group, month)
  ) WITH (fillfactor = 70);
  CREATE TABLE accounting_months_by_dimension (
    ${ORGANIZATION},
    month date NOT NULL,
    account_id ${id} NOT NULL,
    kind_group ${id} NOT NULL,
    company_id ${id} NOT NULL,
    department_id ${id} NOT NULL,
    tax_category ${id} NOT NULL,
    ${SUMS},
    PRIMARY KEY (organization_id, month, account_id, kind_group, company_id, department_id, tax_category)
  ) WITH (fillfactor = 70);
`;

/** Looked at when a transaction commits: its statements may leave an entry out of balance meanwhile. */
const BALANCE = `
  CREATE FUNCTION accounting_require_balance() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    organization text := CASE WHEN TG_OP = 'DELETE' THEN OLD.organization_id ELSE NEW.organization_id END;
    journal text;
    sums record;
    entry record;
  BEGIN
    IF TG_TABLE_NAME = 'accounting_journals' THEN journal := NEW.id;
    ELSIF TG_OP = 'DELETE' THEN journal := OLD.journal_id;
    ELSE journal := NEW.journal_id;
    END IF;
    SELECT total, line_count INTO entry FROM accounting_journals WHERE organization_id = organization AND id = journal;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT sum(debit) AS debit, sum(credit) AS credit, count(*) AS lines INTO sums
      FROM accounting_lines WHERE organization_id = organization AND journal_id = journal;
    IF sums.lines < 2 OR sums.lines <> entry.line_count
       OR sums.debit <> entry.total OR sums.credit <> entry.total THEN
      RAISE check_violation USING CONSTRAINT = 'accounting_journals_balance', TABLE = 'accounting_journals',
        MESSAGE = format('The entry %s is out of balance', journal);
    END IF;
    RETURN NULL;
  END $$;

  CREATE CONSTRAINT TRIGGER accounting_journals_balance
    AFTER INSERT OR UPDATE OF total, line_count, status ON accounting_journals
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION accounting_require_balance();
  -- Each entry is inserted whole, so its first line stands for all of them.
  CREATE CONSTRAINT TRIGGER accounting_lines_balance AFTER INSERT ON accounting_lines
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.line = 1) EXECUTE FUNCTION accounting_require_balance();
  CREATE CONSTRAINT TRIGGER accounting_lines_still_balance
    AFTER UPDATE OF debit, credit, journal_id OR DELETE ON accounting_lines
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION accounting_require_balance();
`;

/** A posted entry stays as it is, but for its void and what clients keep with it; so do its lines, once it is committed. */
const POSTED = `
  CREATE FUNCTION accounting_keep_posted() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kept text[] := ARRAY['status', 'reversed_by', 'void_reason', 'voided_by', 'voided_at', 'updated_at'];
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - kept = to_jsonb(NEW) - kept AND NEW.status IN ('posted', 'voided')
    THEN RETURN NEW;
    END IF;
    RAISE integrity_constraint_violation USING CONSTRAINT = 'accounting_journals_posted',
      TABLE = 'accounting_journals', MESSAGE = format('The entry %s is posted', OLD.id);
  END $$;
  CREATE TRIGGER accounting_journals_posted BEFORE UPDATE OR DELETE ON accounting_journals
    FOR EACH ROW WHEN (OLD.posted_at IS NOT NULL) EXECUTE FUNCTION accounting_keep_posted();

  CREATE FUNCTION accounting_keep_posted_lines() RETURNS trigger LANGUAGE plpgsql AS $$
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
  CREATE TRIGGER accounting_lines_posted_insert AFTER INSERT ON accounting_lines
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted_lines();
  CREATE TRIGGER accounting_lines_posted_update AFTER UPDATE ON accounting_lines
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted_lines();
  CREATE TRIGGER accounting_lines_posted_delete AFTER DELETE ON accounting_lines
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted_lines();
`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE accounting_months_by_dimension, accounting_months, accounting_days, accounting_approvals,
      accounting_lines, accounting_journals, accounting_period_locks, accounting_fiscal_years, accounting_accounts,
      accounting_settings;
    DROP FUNCTION accounting_require_balance, accounting_keep_posted, accounting_keep_posted_lines;
  `);
}
