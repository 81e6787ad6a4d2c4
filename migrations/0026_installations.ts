import type { Knex } from 'knex';

/**
 * Which installation a database is. A dump carries the rows of `installations` along, but not what `database_mark()`
 * answers: the identifier of the server, and the OIDs of the database and of the table. Where the mark of the latest
 * row is another one, the database was restored, and draws a new ID (shared/platform/installation).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE installations (
      number integer PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      mark text COLLATE "C" NOT NULL,
      decision text COLLATE "C" NOT NULL CHECK (decision IN ('original', 'undecided', 'taken_over', 'separate')),
      drawn_at timestamptz NOT NULL,
      decided_at timestamptz,
      engine_mark text COLLATE "C"
    );

    -- Some managed servers have no pg_control_system() or allow it to nobody: '-' stands for an unknown identifier.
    CREATE FUNCTION database_mark() RETURNS text LANGUAGE plpgsql STABLE AS $$
    DECLARE
      server text := '-';
    BEGIN
      BEGIN
        SELECT system_identifier::text INTO server FROM pg_control_system();
      EXCEPTION WHEN OTHERS THEN
        server := '-';
      END;
      RETURN server
        || '/' || (SELECT oid::text FROM pg_database WHERE datname = current_database())
        || '/' || 'installations'::regclass::oid::text;
    END $$;

    -- An unknown identifier equals every other one: a right that is granted or revoked later is no restore.
    CREATE FUNCTION is_same_mark(one text, other text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT split_part(one, '/', 2) = split_part(other, '/', 2)
        AND split_part(one, '/', 3) = split_part(other, '/', 3)
        AND (split_part(one, '/', 1) = split_part(other, '/', 1)
          OR '-' IN (split_part(one, '/', 1), split_part(other, '/', 1)))
    $$;

    -- The ID of this installation; null before the first was drawn, and after a restore until a new one is.
    CREATE FUNCTION current_installation() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT id FROM (SELECT id, mark FROM installations ORDER BY number DESC LIMIT 1) AS latest
      WHERE is_same_mark(mark, database_mark())
    $$;

    -- The number of the installation that made a file; null for one that is unknown here. Keys without an
    -- installation are from before there were any, and are those of the first.
    CREATE FUNCTION installation_of_file(storage_key text) RETURNS integer LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN storage_key ~ '/inst_[0-9a-z]+/[^/]+$'
        THEN (SELECT number FROM installations WHERE id = substring(storage_key FROM '/(inst_[0-9a-z]+)/[^/]+$'))
        ELSE 1 END
    $$;

    -- The first installation whose files this one may remove: itself, or an earlier one that it has taken over.
    CREATE FUNCTION first_own_installation() RETURNS integer LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN current_installation() IS NOT NULL
        THEN COALESCE(max(number) FILTER (WHERE decision IN ('undecided', 'separate')), 1) END
      FROM installations
    $$;
  `);
}

type RunQuery = <Row extends object>(text: string) => Promise<Row[]>;

/** A dump from before installations cannot be told from its original: whoever restores one has to say so. */
export async function notes(query: RunQuery): Promise<string[]> {
  const [waiting] = await query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM mails WHERE status IN ('queued', 'sending')",
  );
  if (!waiting || waiting.count === 0) return [];
  return [
    `${waiting.count} mails wait in this database. If it was restored from a backup, its original may have sent them: run "npm run installation -- renew" before you start workers.`,
  ];
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION first_own_installation(), installation_of_file(text), current_installation(),
      is_same_mark(text, text), database_mark();
    DROP TABLE installations;
  `);
}
