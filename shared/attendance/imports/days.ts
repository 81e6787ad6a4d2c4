import { dayOf, instantOf, minuteAt, type Zone } from '../../kernel/local-time.ts';
import type { ImportRow } from '../../platform/imports/domain.ts';
import type { SessionInput } from '../records/record.ts';

/** The rows of one employee and date, in the order of the file. */
export type DayOfFile = {
  employee_code: string;
  work_date: string;
  /** All of them. */
  rows: ImportRow[];
  /** Those that say a session; the others are of days off. */
  sessions: ImportRow[];
};

/** What the cells of a row without faults say. Times are seconds since the midnight that the work date begins with. */
type Cells = { clock_in?: number; clock_out?: number; breaks?: [number, number][] };

/**
 * The days of a file in the order of their dates. Rows with faults that say no date are of no day, and are left out.
 */
export function daysOfFile(rows: readonly ImportRow[]): DayOfFile[] {
  const dated = rows.filter(({ values }) => values['work_date'] !== undefined);
  const key = ({ values }: ImportRow) => `${values['work_date']} ${values['employee_code']}`;
  const days = [...Map.groupBy(dated, key)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return days.map(([, own]) => ({
    employee_code: own[0]!.values['employee_code'] as string,
    work_date: own[0]!.values['work_date'] as string,
    rows: own,
    sessions: own.filter(saysSession),
  }));
}

/** Programs write a row for each day of a month; of a day off it has no times. */
function saysSession({ values, faulty_fields }: ImportRow): boolean {
  if (faulty_fields !== undefined) return true;
  return ['clock_in', 'clock_out', 'breaks'].some((field) => values[field] !== undefined);
}

/** The session of a row as a request would send it, by the clock of the time zone of its date. Its clock_in is there. */
export function sessionOf({ values }: ImportRow, zone: Zone, work_date: string): SessionInput {
  const { clock_in, clock_out, breaks = [] } = values as Cells;
  const at = (seconds: number) => instantAt(zone, work_date, seconds);
  return {
    clock_in_at: at(clock_in!),
    clock_out_at: clock_out === undefined ? null : at(clock_out),
    breaks: breaks.map(([from, to]) => ({ start_at: at(from), end_at: at(to) })),
  };
}

/**
 * The instant at which the clock of a zone shows some seconds since the midnight that a date begins with; from 86,400 on
 * they lie on the next date. A time that the clock shows twice is the first one, one that it skips as much later as it skips.
 */
export function instantAt(zone: Zone, date: string, seconds: number): string {
  const minute = minuteAt(zone, dayOf(date), Math.floor(seconds / 60));
  const at = Date.parse(instantOf(minute)) + (seconds % 60) * 1_000;
  return new Date(at).toISOString();
}
