import type pg from 'pg';

/** An entry as the baseline is handed it. */
export type HandEntry = {
  date: string;
  description: string;
  lines: readonly { account_code: string; company_id: string; debit: number; credit: number }[];
};

/** The same facts in tables without guards: keys, and the indexes that a ledger and a list need. */
export async function makeTables(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE by_hand_journals (organization_id text, id text, number int, date date, description text, total bigint,
      created_at timestamptz, PRIMARY KEY (organization_id, id));
    CREATE UNIQUE INDEX ON by_hand_journals (organization_id, number);
    CREATE INDEX ON by_hand_journals (organization_id, date, number);
    CREATE TABLE by_hand_lines (organization_id text, id text, journal_id text, line int, account text, date date,
      number int, debit bigint, credit bigint, tax_category text, company_id text, PRIMARY KEY (organization_id, id));
    CREATE INDEX ON by_hand_lines (organization_id, journal_id);
    CREATE INDEX ON by_hand_lines (organization_id, account, date, number);
    CREATE TABLE by_hand_sums (organization_id text, account text, date date, debit bigint, credit bigint,
      PRIMARY KEY (organization_id, account, date));
    CREATE TABLE by_hand_counters (organization_id text PRIMARY KEY, last int);`);
}

let made = 0;

/** Writes entries in one transaction: two inserts of many rows, one upsert of sums, one counter, one commit. */
export async function writeByHand(
  client: pg.Client,
  organization_id: string,
  given: readonly HandEntry[],
): Promise<void> {
  made += 1;
  const entries = given.map((entry, n) => ({ ...entry, id: `je_${made}_${n}` }));
  await client.query('BEGIN');
  const counter = await client.query(
    `INSERT INTO by_hand_counters VALUES ($1, $2) ON CONFLICT (organization_id)
       DO UPDATE SET last = by_hand_counters.last + $2 RETURNING last`,
    [organization_id, entries.length],
  );
  const first = counter.rows[0].last - entries.length + 1;
  await client.query(
    `INSERT INTO by_hand_journals SELECT $1, id, number, date, description, total, now()
       FROM unnest($2::text[], $3::int[], $4::date[], $5::text[], $6::bigint[]) AS row (id, number, date, description, total)`,
    [
      organization_id,
      entries.map(({ id }) => id),
      entries.map((_, n) => first + n),
      entries.map(({ date }) => date),
      entries.map(({ description }) => description),
      entries.map(({ lines }) => lines.reduce((sum, { debit }) => sum + debit, 0)),
    ],
  );
  const lines = entries.flatMap(({ id, date, lines }, n) =>
    lines.map((line, at) => {
      return { ...line, id: `${id}_${at}`, journal_id: id, line: at + 1, date, number: first + n };
    }),
  );
  await client.query(
    `INSERT INTO by_hand_lines SELECT $1, id, journal_id, line, account, date, number, debit, credit, 'P10', company_id
       FROM unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::date[], $7::int[], $8::bigint[], $9::bigint[], $10::text[])
         AS row (id, journal_id, line, account, date, number, debit, credit, company_id)`,
    [
      organization_id,
      lines.map(({ id }) => id),
      lines.map(({ journal_id }) => journal_id),
      lines.map(({ line }) => line),
      lines.map(({ account_code }) => account_code),
      lines.map(({ date }) => date),
      lines.map(({ number }) => number),
      lines.map(({ debit }) => debit),
      lines.map(({ credit }) => credit),
      lines.map(({ company_id }) => company_id),
    ],
  );
  await client.query(
    `INSERT INTO by_hand_sums AS sums SELECT $1, account, date, sum(debit), sum(credit)
       FROM unnest($2::text[], $3::date[], $4::bigint[], $5::bigint[]) AS row (account, date, debit, credit)
      GROUP BY account, date ORDER BY account, date
     ON CONFLICT (organization_id, account, date)
       DO UPDATE SET debit = sums.debit + excluded.debit, credit = sums.credit + excluded.credit`,
    [
      organization_id,
      lines.map(({ account_code }) => account_code),
      lines.map(({ date }) => date),
      lines.map(({ debit }) => debit),
      lines.map(({ credit }) => credit),
    ],
  );
  await client.query('COMMIT');
}
