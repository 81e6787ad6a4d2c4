import type { Knex } from 'knex';

/** The line of the sum. */
const SUM = '00000000-0000-0000-0000-000000000000';

/** The tables whose rows are counted, and the column that tells their kinds apart. */
const COUNTED: [table: string, kind: string | null][] = [
  ['crm_companies', null],
  ['crm_contacts', null],
  ['crm_deals', null],
  ['mail_contacts', null],
  ['suppressions', null],
  ['invoicing_documents', 'kind'],
  ['invoicing_payments', null],
  ['received_documents', 'kind'],
  ['scheduler_bookings', null],
];

/**
 * A ledger of how many rows an organization has in a table, so that lists tell their totals without counting. Each statement
 * that adds or removes rows appends a line: nothing is updated, so writers never wait for each other, a rollback takes its
 * line along, and cascades, imports and merges are counted like any other statement. One line is the sum of those that were
 * folded. Lines are told apart without a sequence: a copy of the rows alone goes on counting.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE row_counts (
      organization_id text COLLATE "C" NOT NULL,
      counted text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      line uuid DEFAULT gen_random_uuid(),
      rows integer NOT NULL,
      PRIMARY KEY (organization_id, counted, kind, line)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
    CREATE INDEX row_counts_new ON row_counts (line) WHERE line <> '${SUM}';
  `);
  for (const kind of [null, 'kind']) {
    await knex.raw(`
      CREATE FUNCTION ${functionOf(kind)}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO row_counts (organization_id, counted, kind, rows)
          SELECT organization_id, TG_TABLE_NAME, ${kind ?? "''"}, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
            FROM changed GROUP BY organization_id${kind ? `, ${kind}` : ''};
        RETURN NULL;
      END $$;
    `);
  }
  for (const [table, kind] of COUNTED) {
    // The triggers' lock keeps writers out until the rows that stand are counted.
    await knex.raw(`
      CREATE TRIGGER row_counts_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf(kind)}();
      CREATE TRIGGER row_counts_removed AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf(kind)}();
      INSERT INTO row_counts (organization_id, counted, kind, line, rows)
        SELECT organization_id, '${table}', ${kind ?? "''"}, '${SUM}', count(*) FROM ${table} GROUP BY 1, 3;
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [table] of COUNTED) {
    await knex.raw(`DROP TRIGGER row_counts_added ON ${table}; DROP TRIGGER row_counts_removed ON ${table};`);
  }
  await knex.raw(`
    DROP FUNCTION ${functionOf(null)}();
    DROP FUNCTION ${functionOf('kind')}();
    DROP TABLE row_counts;
  `);
}

function functionOf(kind: string | null): string {
  return kind === null ? 'count_rows' : 'count_rows_by_kind';
}
