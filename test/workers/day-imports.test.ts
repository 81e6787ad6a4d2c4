import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newWorkplace, type Workplace } from '../support/attendance.ts';
import { endOfDays, importedDays } from '../support/day-imports.ts';
import { until } from '../support/until.ts';
import { formWith } from '../support/uploads.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const start = () =>
  startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
    '--queues',
    'csv-import',
  ]);

const PEOPLE = Number(process.env['KILLED_PEOPLE'] ?? 40);
const DAYS = 28;
const KILLS = Number(process.env['KILLS'] ?? 2);

async function workplace(): Promise<Workplace> {
  const place = await newWorkplace(app);
  for (let n = 0; n < PEOPLE; n += 1) await place.person({ employee_code: `E${n}` });
  return place;
}

/** Two sessions a day, all second ones behind all first ones; one day in ten overlaps itself. */
function file(): string {
  const rows = (session: (from: number) => string, day: number) =>
    Array.from({ length: PEOPLE }, (_, n) => {
      const date = `2026-10-${String(day).padStart(2, '0')}`;
      return `E${n},${date},${session((n + day) % 10)}`;
    });
  const days = Array.from({ length: DAYS }, (_, index) => index + 1);
  return [
    'employee_code,work_date,clock_in,clock_out,breaks',
    ...days.flatMap((day) => rows(() => '9:00,12:00,10:00-10:15', day)),
    ...days.flatMap((day) => rows((turn) => (turn === 0 ? '11:00,18:00,' : '13:00,18:30,'), day)),
  ].join('\r\n');
}

/** All that an import left of days, without IDs and times of writing. */
async function leftBy({ organization_id }: Workplace, import_id: string): Promise<unknown> {
  const digest = (columns: string, table: string) =>
    `(SELECT md5(string_agg(concat_ws('|', member.employee_code, ${columns}), '' ORDER BY member.employee_code, kept.work_date, ${columns}))
        FROM ${table} AS kept JOIN attendance_members AS member
          ON member.organization_id = $1 AND member.id = kept.member_id WHERE kept.organization_id = $1)`;
  const [left] = await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `SELECT ${digest('kept.work_date, kept.clock_in_at, kept.clock_out_at, kept.breaks', 'attendance_sessions')} AS sessions,
              ${digest('kept.work_date, kept.version, kept.worked_minutes, kept.statutory_overtime_minutes', 'attendance_records')} AS records,
              ${digest('kept.work_date, kept.version, kept.source', 'attendance_day_revisions')} AS revisions,
              (SELECT count(*) FROM import_rows WHERE organization_id = $1) AS waiting,
              (SELECT md5(string_agg(concat_ws('|', row, code, "column"), '' ORDER BY id)) FROM import_errors
                WHERE organization_id = $1 AND import_id = $2) AS errors`,
      [organization_id, import_id],
    ),
  );
  return left;
}

test(`an import whose workers are killed ${KILLS} times leaves every day once, as an undisturbed one does`, async () => {
  let workers = await start();
  const [calm, killed] = [await workplace(), await workplace()];
  const expected = await importedDays(calm, file());
  const begun = await killed.post('/attendance/imports', formWith(file()));
  const { id } = begun.body.import;
  for (let count = 0; count < KILLS; count += 1) {
    const target = (2 * PEOPLE * DAYS * (count + Math.random())) / (KILLS + 1);
    await until(
      'the import goes on',
      async () => {
        const [row] = await app.database.withConnection(killed.organization_id, ({ query }) =>
          query<{ processed_rows: number; finished_at: string | null }>(
            'SELECT processed_rows, finished_at FROM imports WHERE organization_id = $1 AND id = $2',
            [killed.organization_id, id],
          ),
        );
        return row!.processed_rows >= target || row!.finished_at !== null;
      },
      300_000,
    );
    await workers.kill();
    workers = await start();
  }
  const done = await endOfDays(killed, id);
  const counts = ({ status, day_count, created_count, error_count, total_rows }: Record<string, unknown>) => {
    return { status, day_count, created_count, error_count, total_rows };
  };
  assert.deepEqual(counts(done), counts(expected));
  const faulty = Math.round((PEOPLE * DAYS) / 10);
  assert.deepEqual([done.day_count, done.error_count], [PEOPLE * DAYS - faulty, 2 * faulty]);
  assert.deepEqual(await leftBy(killed, id), await leftBy(calm, expected.id));
  await workers.kill();
});
