import type pg from 'pg';

/** What was read: of tables the scans from end to end, of indexes theirs, and the rows of all. */
export type Looks = { scans: (name: string) => number; rows: number; told: string };

/** What `call` reads of the tables and indexes of forms, within the transaction of a connection: in functions too. */
export async function looksOf(connection: pg.Client, call: () => Promise<unknown>): Promise<Looks> {
  const before = await soFar(connection);
  await call();
  const read = (await soFar(connection)).map(({ name, scans, rows }, place) => ({
    name,
    scans: scans - before[place]!.scans,
    rows: rows - before[place]!.rows,
  }));
  const some = read.filter(({ scans }) => scans > 0);
  return {
    scans: (name) => some.find((one) => one.name === name)?.scans ?? 0,
    rows: read.reduce((sum, { rows }) => sum + rows, 0),
    told: some.map(({ name, scans, rows }) => `${name}: ${rows} rows by ${scans} scans`).join('; '),
  };
}

async function soFar(connection: pg.Client): Promise<{ name: string; scans: number; rows: number }[]> {
  const { rows } = await connection.query<{ name: string; scans: number; rows: number }>(
    `SELECT relname AS name, pg_stat_get_xact_numscans(oid)::integer AS scans,
            pg_stat_get_xact_tuples_returned(oid)::integer AS rows
       FROM pg_class WHERE relname LIKE 'forms_%' AND relkind IN ('r', 'i') ORDER BY oid`,
  );
  return rows;
}
