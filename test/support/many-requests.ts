import type { Database } from '../../shared/db/database.ts';
import type { TestActor } from './actors.ts';

/** An ID of a row by its number: later rows have greater ones. */
const idOf = (prefix: string) => `'${prefix}_01' || lpad(row.number::text, 24, '0')`;

/** Of a hundred requests the last one is pending, the others are approved. */
const STATUS = `CASE WHEN row.number % 100 = 99 THEN 'pending' ELSE 'approved' END`;

/**
 * Corrections and overtime requests, so many of each, written past the operations: one a member and date, from a date on, in
 * the order of dates. Every thousandth has the external ID `K-` with its number.
 */
export async function seedRequests(
  database: Database,
  { organization_id }: TestActor,
  { member_ids, count, from }: { member_ids: readonly string[]; count: number; from: string },
): Promise<void> {
  const rows = 'generate_series(0, $3::integer - 1) AS row (number)';
  const date = `($4::date + row.number / cardinality($2::text[]))`;
  const own = `${STATUS}, 'x', CASE WHEN row.number % 1000 = 0 THEN 'K-' || row.number END,
    ${date}::timestamptz, ${date}::timestamptz`;
  const member = `($2::text[])[row.number % cardinality($2::text[]) + 1]`;
  const values = [organization_id, member_ids, count, from];
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO attendance_corrections (organization_id, id, member_id, work_date, before, sessions, base_version,
         status, reason, external_id, created_at, updated_at)
       SELECT $1, ${idOf('corr')}, ${member}, ${date}, '{"sessions": []}', '[]', 0, ${own} FROM ${rows}`,
      values,
    );
    await query(
      `INSERT INTO attendance_overtime_requests (organization_id, id, member_id, work_date, kind, planned_start_at,
         planned_end_at, status, reason, external_id, created_at, updated_at)
       SELECT $1, ${idOf('otreq')}, ${member}, ${date}, 'after', ${date} + time '09:00', ${date} + time '11:00', ${own}
         FROM ${rows}`,
      values,
    );
  });
}

/** Requests for a day of leave, so many, in the same way; without external IDs. */
export async function seedLeave(
  database: Database,
  { organization_id }: TestActor,
  { member_ids, count, from }: { member_ids: readonly string[]; count: number; from: string },
): Promise<void> {
  const date = `($4::date + row.number / cardinality($2::text[]))`;
  await database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO attendance_leave_requests (organization_id, id, member_id, type, unit, start_date, end_date, status,
         created_at, updated_at)
       SELECT $1, ${idOf('lreq')}, ($2::text[])[row.number % cardinality($2::text[]) + 1], 'paid_annual', 'full',
              ${date}, ${date}, ${STATUS}, ${date}::timestamptz, ${date}::timestamptz
         FROM generate_series(0, $3::integer - 1) AS row (number)`,
      [organization_id, member_ids, count, from],
    ),
  );
}
