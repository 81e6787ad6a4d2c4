import type { Database } from '../../shared/db/database.ts';
import type { TestActor } from './actors.ts';

export type ManyLeave = { member_ids: readonly string[]; from: string; years: number; each: number };

/** A number from 0 that follows from a text, below a bound. */
const numberOf = (text: string, below: number) => `(abs(hashtextextended(${text}, 0)) % ${below})`;

/**
 * Annual leave of members over years from a date on, written past the operations, all of it by the hashes of IDs: a grant a year, which lasts
 * two, now and then a small one or one that was changed; so many requests a member in each year, of days, halves, hours and several days; and of two in
 * three members the days of what is earlier than the last half-year are kept, some with nothing taken.
 */
export async function seedLeaveOfYears(
  database: Database,
  { organization_id }: TestActor,
  { member_ids, from, years, each }: ManyLeave,
): Promise<void> {
  const values = [organization_id, member_ids, from, years];
  const member = 'unnest($2::text[]) WITH ORDINALITY AS member (id, place)';
  const begins = `($3::date + (member.place % 365)::int)`;
  await database.withConnection(organization_id, async ({ query }) => {
    const granted = `(${begins} + year * interval '1 year')::date`;
    const key = `member.id || 'g' || year`;
    await query(
      `INSERT INTO attendance_leave_grants (organization_id, id, member_id, type, granted_on, expires_on, days, reason,
         created_at, updated_at)
       SELECT $1, 'lgrant_01' || substr(md5(${key}), 1, 24), member.id, 'paid_annual', ${granted},
              (${granted} + interval '2 years')::date - 1, CASE ${numberOf(key, 12)} WHEN 0 THEN 5 ELSE 10 + year END, 'manual',
              ${granted}::timestamptz, ${granted}::timestamptz + CASE ${numberOf(key, 9)} WHEN 0 THEN 1 ELSE 0 END * interval '1 day'
         FROM ${member} CROSS JOIN generate_series(0, $4::integer - 1) AS year`,
      values,
    );
    const request = `member.id || 'r' || number`;
    const step = Math.floor(365 / each);
    const start = `(${begins} + (number * ${step} + ${numberOf(request, 6)})::int)`;
    await query(
      `INSERT INTO attendance_leave_requests (organization_id, id, member_id, type, unit, start_date, end_date, start_time, hours,
         status, created_at, updated_at)
       SELECT $1, 'lreq_01' || substr(md5(${request}), 1, 24), member.id, 'paid_annual', unit, ${start},
              ${start} + CASE WHEN unit = 'full' AND kind < 3 THEN kind ELSE 0 END::int,
              CASE unit WHEN 'hourly' THEN '10:00' END, CASE unit WHEN 'hourly' THEN 2 END,
              CASE WHEN luck < 16 THEN 'approved' WHEN luck < 18 THEN 'pending' ELSE 'rejected' END, now(), now()
         FROM ${member} CROSS JOIN generate_series(0, $4::integer * ${each} - 1) AS number,
           LATERAL (SELECT ${numberOf(request, 20)} AS kind, ${numberOf(`'luck' || ${request}`, 20)} AS luck) AS by_hash,
           LATERAL (SELECT CASE WHEN kind < 14 THEN 'full' WHEN kind < 18 THEN 'half_am' WHEN kind < 19 THEN 'half_pm'
             WHEN ${numberOf('member.id', 4)} = 0 THEN 'hourly' ELSE 'half_pm' END AS unit) AS one`,
      values,
    );
    await query(
      `INSERT INTO attendance_leave_days (organization_id, request_id, date, days, hours, uses)
       SELECT DISTINCT ON (request.id, date) $1, request.id, date, taken, 0,
              CASE WHEN taken = 0 OR ${numberOf('request.id', 25)} = 0 THEN '[]'
                ELSE jsonb_build_array(jsonb_build_object('grant_id', leave.id, 'halves', taken * 2, 'hours', 0)) END
         FROM attendance_leave_requests AS request
         JOIN attendance_leave_grants AS leave
           ON leave.organization_id = $1 AND leave.member_id = request.member_id
         CROSS JOIN generate_series(request.start_date, request.end_date, '1 day') AS date
         CROSS JOIN LATERAL (
           SELECT CASE WHEN extract(isodow FROM date) > 5 THEN 0 WHEN unit = 'full' THEN 1 ELSE 0.5 END AS taken) AS each
        WHERE request.organization_id = $1 AND request.status <> 'rejected' AND unit <> 'hourly'
          AND ${numberOf('request.member_id', 3)} > 0
          AND date BETWEEN leave.granted_on AND leave.expires_on
          AND date < $3::date + $2::integer * interval '1 year' - interval '6 months'
        ORDER BY request.id, date, leave.granted_on`,
      [organization_id, years, from],
    );
  });
}
