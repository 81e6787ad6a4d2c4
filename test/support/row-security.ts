import type pg from 'pg';

/** Set for the run of the API's tests in which the database itself refuses rows of other organizations. */
export const isJudged = process.env.TEST_ROW_SECURITY === 'forced';

const ROLE = 'tenant_judge';
const PASSWORD = 'judge';

/**
 * Forces row-level security on every table of organizations, for a role that owns nothing: a row is there only for
 * a connection that named its organization, or that named all of them as sweeps and the check of credentials do.
 */
export async function forceRowSecurity(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}';
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
    GRANT USAGE ON SCHEMA public TO ${ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${ROLE};
    DO $$
    DECLARE tenant text;
    BEGIN
      FOR tenant IN
        SELECT format('%I', columns.table_name) FROM information_schema.columns
          JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'organization_id'
      LOOP
        EXECUTE 'ALTER TABLE ' || tenant || ' ENABLE ROW LEVEL SECURITY';
        EXECUTE 'ALTER TABLE ' || tenant || ' FORCE ROW LEVEL SECURITY';
        EXECUTE 'CREATE POLICY organization ON ' || tenant ||
          ' USING (current_setting(''app.organization_id'', true) IN (organization_id, ''*''))';
      END LOOP;
    END $$;
  `);
}

/** The same database as that role. */
export function asJudgedRole(url: string): string {
  const judged = new URL(url);
  judged.username = ROLE;
  judged.password = PASSWORD;
  return judged.href;
}
