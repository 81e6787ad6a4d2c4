import { dayOf, type Zone } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import {
  type CellError,
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
  type Outcome,
} from '../../platform/imports/domain.ts';
import { keepOutcomes } from '../../platform/imports/outcomes.ts';
import { settingsOn } from '../days/rules.ts';
import { laidAround } from '../records/member-days.ts';
import { MOST_SESSIONS } from '../records/record.ts';
import { type DayReplaced, type ReplacedDay, replaceDays } from '../records/replace-days.ts';
import { type DayOfFile, daysOfFile, sessionOf } from './days.ts';
import { faultsOfOthers, faultsOfRefusal } from './faults.ts';
import type { DayImportOptions } from './options.ts';
import { keyOfDay } from './revert.ts';

/** Rows of one transaction, some thirty months of members: so long it holds the locks of these. */
const CHUNK_ROWS = 1_000;

const TABLES = [
  'attendance_members',
  'attendance_sessions',
  'attendance_records',
  'attendance_day_revisions',
  'import_outcomes',
  'import_rows',
];

/** Takes days of several rows each, all days of an employee together; a day with a fault goes whole to the report. */
export async function daySession(run: ImportRun<DayImportOptions>): Promise<ImportSession> {
  return {
    chunk_rows: CHUNK_ROWS,
    keyOf: ({ values }) => (values['employee_code'] as string | undefined) ?? null,
    merge: (work, _, rows) => mergeDays(work, run, rows),
    lookedUp: () => TABLES,
    filled: () => TABLES,
  };
}

/** A day of the file with what is wrong with it, or whose it is. */
type Read = { day: DayOfFile; member_id: string | null; faults: CellError[] };

async function mergeDays(
  work: Work,
  run: ImportRun<DayImportOptions>,
  rows: readonly ImportRow[],
): Promise<Merged> {
  const days = daysOfFile(rows);
  if (days.length === 0) return { counts: noCounts(), faults: [] };
  const [memberOf, zoneOn] = await Promise.all([membersOf(work, days), zonesOf(work, days)]);
  const read = days.map((day): Read => {
    const member_id = memberOf.get(day.employee_code) ?? null;
    return { day, member_id, faults: faultsOf(day, member_id) };
  });
  const sent = read.filter(({ day, faults }) => {
    const isFaulty = faults.length > 0 || day.rows.some(({ faulty_fields }) => faulty_fields);
    return !isFaulty && day.sessions.length > 0;
  });
  const asked = [...Map.groupBy(sent, ({ member_id }) => member_id!)].map(([member_id, own]) => ({
    member_id,
    days: own.map(({ day: { work_date, sessions } }) => ({
      work_date,
      sent: sessions.map((row) => sessionOf(row, zoneOn(work_date), work_date)),
    })),
  }));
  const { dry_run } = run;
  const replaced = await replaceDays(work, asked, { source: 'import', reason: null, dry_run });
  const counts = noCounts();
  const faults: CellError[] = [];
  const written: { key: string; day: ReplacedDay }[] = [];
  for (const { day, member_id, faults: own } of read) {
    const found = replaced.get(member_id ?? '')?.get(day.work_date);
    if (found && 'refused' in found) own.push(...faultsOfRefusal(day, found.refused));
    const known = day.rows.filter(({ faulty_fields }) => faulty_fields).map(({ row }) => row);
    const faulty = new Set([...known, ...own.map(({ row }) => row)]);
    if (faulty.size === 0) {
      count(counts, day, found);
      if (found && 'outcome' in found && found.outcome !== 'unchanged')
        written.push({ key: keyOfDay(member_id!, day.work_date), day: found });
      continue;
    }
    // The engine has counted and told the rows whose cells have faults.
    counts.error += day.rows.length - known.length;
    faults.push(...own, ...faultsOfOthers(day, faulty));
  }
  if (!dry_run) keepWritten(work, run.import_id, written);
  return { counts, faults, records: written.length };
}

/** What is wrong with a day before anything is looked up for it. */
function faultsOf({ sessions, rows }: DayOfFile, member_id: string | null): CellError[] {
  const healthy = (row: ImportRow) => row.faulty_fields === undefined;
  if (member_id === null) {
    return rows.filter(healthy).map((row) => cellError(row, 'unknown_employee', 'employee_code'));
  }
  const without = sessions.filter((row) => healthy(row) && row.values['clock_in'] === undefined);
  const more = sessions.slice(MOST_SESSIONS).filter(healthy);
  return [
    ...without.map((row) => cellError(row, 'required', 'clock_in')),
    ...more.map((row) => cellError(row, 'too_many', null)),
  ];
}

/** Rows without times are of days off, which an import leaves as they are. */
function count(
  counts: Record<Outcome, number>,
  { rows, sessions }: DayOfFile,
  found: DayReplaced | undefined,
): void {
  counts.skipped += rows.length - sessions.length;
  if (found && 'outcome' in found) counts[found.outcome] += sessions.length;
}

function keepWritten(
  work: Work,
  import_id: string,
  written: readonly { key: string; day: ReplacedDay }[],
): void {
  keepOutcomes(
    work,
    import_id,
    written.map(({ key, day: { outcome, before, after, version } }) => ({
      key,
      outcome,
      before: { sessions: [before, after], version: [null, version] },
      changed_at: work.now.toISOString(),
    })),
  );
}

/** By their codes the members that days name. */
async function membersOf(
  { connection, organization_id }: Reader,
  days: readonly DayOfFile[],
): Promise<Map<string, string>> {
  const codes = [...new Set(days.map(({ employee_code }) => employee_code))];
  const rows = await connection.query<{ id: string; employee_code: string }>(
    'SELECT id, employee_code FROM attendance_members WHERE organization_id = $1 AND employee_code = ANY ($2)',
    [organization_id, codes],
  );
  return new Map(rows.map(({ id, employee_code }) => [employee_code, id]));
}

/** The time zone that the settings of a date have. */
async function zonesOf(reader: Reader, days: readonly DayOfFile[]): Promise<(date: string) => Zone> {
  const dates = days.map(({ work_date }) => work_date).toSorted();
  const { rules } = await laidAround(reader, { from: dates[0]!, to: dates.at(-1)! });
  return (date) => settingsOn(rules, dayOf(date)).zone;
}
