import { dateOf, dayOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Alert } from '../days/alerts.ts';
import type { Dates } from '../days/reach.ts';
import { recordsOf } from '../days/records.ts';
import type { Rules } from '../days/rules.ts';
import type { DayRecord, Segment } from '../days/types.ts';
import { openRecalculations, type Recalculating } from '../recalculation/open.ts';
import { closedDaysOf, type KeptDay } from '../submissions/frozen.ts';
import { Calendars } from './calendars.ts';
import { type DaysOfMember, type Given, givenFor, memberPlansOf, rulesAround } from './member-days.ts';
import { figureNames, type RecordRow, recordRows, type SessionRow, sessionRows } from './rows.ts';

/** A day of a member with what is kept of it; `id` null: nothing is. */
export type Day = DayRecord & {
  id: string | null;
  member_id: string;
  sessions: readonly SessionRow[];
  version: number;
  calc_version: number;
  created_at: string | null;
  updated_at: string | null;
  /** Whether a recalculation has yet to come to it. */
  is_stale: boolean;
  /** The alerts that its period was closed with; null while that is open. */
  frozen_alerts: readonly Alert[] | null;
};

/**
 * Every date of a range for each of some members, in order: as its period was closed with, else as it is kept, else computed.
 * A fixed number of statements, however many members. `with_segments` computes the minutes of each day besides.
 */
export async function daysOf(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
  { with_segments = false }: { with_segments?: boolean } = {},
): Promise<Map<string, Day[]>> {
  const [rows, sessions, recalculating, closed] = await Promise.all([
    recordRows(reader, member_ids, dates),
    sessionRows(reader, member_ids, dates),
    openRecalculations(reader),
    closedDaysOf(reader, member_ids, dates, { with_segments }),
  ]);
  const length = dayOf(dates.to) - dayOf(dates.from) + 1;
  const open = member_ids.filter((id) => (closed.get(id)?.size ?? 0) < length);
  const incomplete = open.filter((id) => (rows.get(id)?.length ?? 0) < length);
  const [empty, segments] = await Promise.all([
    emptyDays(reader, incomplete, dates),
    with_segments && open.length > 0 ? segmentsOf(reader, open, dates) : NO_SEGMENTS,
  ]);
  return new Map(
    member_ids.map((member_id) => {
      const kept = new Map(rows.get(member_id)?.map((row) => [row.work_date, row]));
      const own = Map.groupBy(sessions.get(member_id) ?? [], ({ work_date }) => work_date);
      const days = datesBetween(dates).flatMap((date): Day[] => {
        const frozen = closed.get(member_id)?.get(date);
        if (frozen) return [closedDay(frozen)];
        const row = kept.get(date);
        const made = row ? null : empty.get(member_id)?.get(date);
        if (!row && !made) return [];
        const day = row ? dayOfRow(row, own.get(date) ?? []) : emptyDay(member_id, made!);
        day.is_stale = row !== undefined && recalculating(member_id, date);
        return [with_segments ? { ...day, segments: segments.get(member_id)?.get(date) ?? [] } : day];
      });
      return [member_id, days];
    }),
  );
}

const NO_SEGMENTS: Map<string, Map<string, readonly Segment[]>> = new Map();

/** Every date of a range of one member from what is at hand: kept rows with their sessions, and empty days. */
export function daysFrom(
  { member_id, rules, member, rows }: DaysAtHand,
  recalculating: Recalculating,
  dates: Dates,
): Day[] {
  const kept = new Map(rows.map((row) => [row.work_date, row]));
  const own = Map.groupBy(member.sessions, ({ work_date }) => work_date);
  const frozen = new Map(member.frozen.map((day) => [day.work_date, day]));
  return recordsOf(rules, { ...member, sessions: [], frozen: [] }, dates).map((empty) => {
    const { work_date } = empty;
    const row = kept.get(work_date);
    if (!row) return emptyDay(member_id, { ...empty, ...pick(frozen.get(work_date) ?? empty, ['day_type']) });
    return { ...dayOfRow(row, own.get(work_date) ?? []), is_stale: recalculating(member_id, work_date) };
  });
}

/** What the days of one member are made of, without asking the database again. */
export type DaysAtHand = {
  member_id: string;
  rules: Rules;
  member: DaysOfMember;
  rows: readonly RecordRow[];
};

/** The dates from one to another, both included. */
export function datesBetween({ from, to }: Dates): string[] {
  const first = dayOf(from);
  return Array.from({ length: Math.max(0, dayOf(to) - first + 1) }, (_, index) => dateOf(first + index));
}

/** A kept day with its sessions. */
export function dayOfRow(row: RecordRow, sessions: readonly SessionRow[]): Day {
  return { ...row, sessions, segments: [], is_stale: false, frozen_alerts: null };
}

/** A day as its period was closed with. */
export function closedDay({ day: { left_over, ...day }, alerts, segments }: KeptDay): Day {
  return {
    ...day,
    segments: segments.map(({ start_at, end_at, class: name, night }) => ({
      start_at,
      end_at,
      class: name,
      night,
    })),
    is_stale: false,
    frozen_alerts: alerts,
  };
}

/** A day of which nothing is kept. */
export function emptyDay(member_id: string, record: DayRecord): Day {
  return {
    ...record,
    id: null,
    member_id,
    sessions: record.sessions as readonly SessionRow[],
    version: 0,
    calc_version: 0,
    created_at: null,
    updated_at: null,
    is_stale: false,
    frozen_alerts: null,
  };
}

/** Days without sessions: they follow from roster, holidays, terms and leave of their own date alone. */
async function emptyDays(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, ReadonlyMap<string, DayRecord>>> {
  if (member_ids.length === 0) return new Map();
  const [rules, members] = await Promise.all([
    rulesAround(reader, dates),
    memberPlansOf(reader, member_ids, dates),
  ]);
  const calendars = new Calendars(rules, dates);
  return new Map([...members].map(([id, member]) => [id, calendars.of(member).by_date]));
}

async function segmentsOf(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, Map<string, readonly Segment[]>>> {
  const given: Given = await givenFor(reader, member_ids, dates);
  const segments = new Map<string, Map<string, readonly Segment[]>>();
  for (const [id, member] of given.members) {
    const records = recordsOf(given.rules, member, { ...dates, with_segments: true });
    segments.set(id, new Map(records.map((record) => [record.work_date, record.segments])));
  }
  return segments;
}

/** Whether two computations of a day came to the same. */
export function isSameFigures(
  one: Pick<DayRecord, (typeof figureNames)[number]>,
  other: Pick<DayRecord, (typeof figureNames)[number]>,
): boolean {
  return figureNames.every((name) => {
    const [was, is] = [one[name], other[name]];
    return was === is || (typeof was === 'object' && isSameJson(was, is));
  });
}
