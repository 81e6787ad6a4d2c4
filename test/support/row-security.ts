import type pg from 'pg';

/** Set for the tests of the API during which the database itself refuses rows of other organizations. */
export const isJudged = process.env.TEST_ROW_SECURITY === 'forced';

const ROLE = 'tenant_judge';
const PASSWORD = 'judge';

/**
 * Forces row-level security on every table of organizations, for a role that owns nothing. A connection may read and
 * write the rows of the organization that it named, or all rows when it named all organizations, as sweeps and the
 * check of credentials do. A statement that reaches any other row fails: a policy that hid the row would also hide that
 * the statement lacks `organization_id`. Comparing `organization_id` is cheap and leakproof, so PostgreSQL does it
 * before the policy, and a statement that has the condition reaches no other organization's row.
 */
export async function forceRowSecurity(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}';
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
    GRANT USAGE ON SCHEMA public TO ${ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${ROLE};
    CREATE FUNCTION refuse_foreign_row(table_name text, row_organization text) RETURNS boolean
    LANGUAGE plpgsql STABLE COST 10000 AS $$ BEGIN
      RAISE EXCEPTION 'a statement for organization "%" reached a row of organization "%" in %: a condition on organization_id is missing',
        current_setting('app.organization_id', true), row_organization, table_name
        USING DETAIL = current_query();
    END $$;
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
        EXECUTE format(
          'CREATE POLICY organization ON %s USING (CASE
             WHEN current_setting(''app.organization_id'', true) IN (organization_id, ''*'') THEN true
             ELSE refuse_foreign_row(%L, organization_id) END)', tenant, tenant);
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
