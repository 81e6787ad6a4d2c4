import { daysLater } from '../../kernel/days.ts';
import { newId } from '../../kernel/id.ts';
import { dateOf, dayOf } from '../../kernel/local-time.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { shown } from '../days/periods.ts';
import type { Dates } from '../days/reach.ts';
import { recordsOf } from '../days/records.ts';
import { periodOf, type Rules } from '../days/rules.ts';
import { summedMinutes } from '../days/totals.ts';
import type { DayRecord } from '../days/types.ts';
import { type Day, dayOfRow, isSameFigures } from './days.ts';
import { type DaysOfMember, givenFor, rulesAround } from './member-days.ts';
import { RecordModel } from './record.ts';
import type { RowWrites } from './row-writes.ts';
import { figureNames, type RecordRow, recordRows, type SessionRow } from './rows.ts';

/** What the figures of one member's days are made of, and what is kept of them so far. */
export type Figures = {
  member_id: string;
  rules: Rules;
  member: DaysOfMember;
  kept: readonly RecordRow[];
  dates: Dates;
  /** The work dates whose sessions this work changed. */
  changed: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Computes the records of open days again and writes those that come out differently. The members are locked by the caller.
 * What this work wrote before is seen.
 */
export async function refreshDays(work: Work, member_ids: readonly string[], dates: Dates): Promise<void> {
  if (member_ids.length === 0 || dates.from > dates.to) return;
  await work.flush();
  const [given, kept] = await Promise.all([
    givenFor(work, member_ids, dates),
    recordRows(work, member_ids, dates),
  ]);
  const all: Figures[] = [...given.members].map(([member_id, member]) => ({
    member_id,
    rules: given.rules,
    member,
    kept: kept.get(member_id) ?? [],
    dates,
    changed: NONE,
  }));
  writeFigures(work, all);
}

/**
 * The same for one locked member after a change of some dates: also of the sessions that reach over them, and of what follows
 * them in their weeks and periods.
 */
export async function refreshAround(work: Work, member_id: string, dates: Dates): Promise<void> {
  const rules = await rulesAround(work, dates);
  const last = periodOf(rules, dayOf(dates.to)).end;
  const weekEnd = daysLater(dates.to, 7);
  await refreshDays(work, [member_id], {
    from: shown(periodOf(rules, dayOf(daysLater(dates.from, -REACH)))).start,
    to: dateOf(last) > weekEnd ? dateOf(last) : weekEnd,
  });
}

/** A session reaches so many days beyond its work date. */
const REACH = 4;

/** Writes the figures of members' days, all of them in two statements. Answers the days that are kept, by member and date. */
export function writeFigures(writes: RowWrites, all: readonly Figures[]): Map<string, Map<string, Day>> {
  const added: RecordRow[] = [];
  const changed: RecordRow[] = [];
  const answered = new Map<string, Map<string, Day>>();
  for (const figures of all) {
    const days = new Map<string, Day>();
    answered.set(figures.member_id, days);
    const kept = new Map(figures.kept.map((row) => [row.work_date, row]));
    for (const record of recordsOf(figures.rules, figures.member, figures.dates)) {
      const before = kept.get(record.work_date);
      const isChanged = figures.changed.has(record.work_date);
      if (!before && !isChanged && !isWorthKeeping(record)) continue;
      const after = before ? rowAfter(writes, before, record, isChanged) : newRow(writes, figures, record);
      if (!before) added.push(after);
      else if (after !== before) changed.push(after);
      days.set(record.work_date, dayOfRow(after, record.sessions as readonly SessionRow[]));
    }
  }
  writes.insertAll(RecordModel, added);
  update(writes, changed);
  return answered;
}

/** The rows of a punch are few: single statements are planned once, and travel with their neighbours as one. */
const FEW = 3;

function update(writes: RowWrites, rows: readonly RecordRow[]): void {
  const columns = rows.map(({ member_id, work_date, created_at, ...row }) => row);
  if (rows.length > FEW) writes.updateAll(RecordModel, columns);
  else for (const { id, ...row } of columns) writes.update(RecordModel, id, row);
}

/** A day that nothing happened on, and that shows nothing, is computed when it is read. */
function isWorthKeeping(record: DayRecord): boolean {
  if (record.sessions.length > 0 || record.has_presence || record.leave.length > 0) return true;
  return summedMinutes.some((name) => name !== 'absence_minutes' && record[name] > 0);
}

function newRow({ now }: RowWrites, { member_id, changed }: Figures, record: DayRecord): RecordRow {
  const at = now.toISOString();
  return {
    id: newId('arec', now),
    member_id,
    work_date: record.work_date,
    ...pick(record, figureNames),
    version: changed.has(record.work_date) ? 1 : 0,
    calc_version: 1,
    created_at: at,
    updated_at: at,
  };
}

/** The row itself where nothing changes. */
function rowAfter(writes: RowWrites, before: RecordRow, record: DayRecord, isChanged: boolean): RecordRow {
  const isSame = isSameFigures(before, record);
  if (isSame && !isChanged) return before;
  return {
    ...before,
    ...pick(record, figureNames),
    version: before.version + (isChanged ? 1 : 0),
    calc_version: before.calc_version + (isSame ? 0 : 1),
    updated_at: writes.touch(before),
  };
}
