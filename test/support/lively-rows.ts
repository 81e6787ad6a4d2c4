import type { Connection } from '../../shared/kernel/connection.ts';

export const MINUTE = 60_000;

export type Query = Connection['query'];

/** Instants so many milliseconds before `now`, as dates and as texts. */
export function clockBefore(now: Date) {
  const date = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  return { date, at: (milliseconds: number) => date(milliseconds).toISOString() };
}

/** Writes a row straight into a table; columns that are not named have their defaults. */
export async function insertRow(query: Query, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row)
    .map((name) => `"${name}"`)
    .join(', ');
  await query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(null::${table}, $1::jsonb)`,
    [JSON.stringify(row)],
  );
}
