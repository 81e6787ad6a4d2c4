import { punchColumns, shownPunch } from '../../../../shared/attendance/punches/rows.ts';
import { closedDay, type Day, dayOfRow } from '../../../../shared/attendance/records/days.ts';
import { RecordModel } from '../../../../shared/attendance/records/record.ts';
import { recordColumns, sessionColumns } from '../../../../shared/attendance/records/rows.ts';
import { DAYS_BEFORE, showingWith, shownWithin } from '../../../../shared/attendance/records/shown.ts';
import { todayBy } from '../../../../shared/attendance/settings/dated.ts';
import { defaultPlain } from '../../../../shared/attendance/settings/fields.ts';
import { daysLater } from '../../../../shared/kernel/days.ts';
import { type Any, database } from '../bare-server.ts';
import { type List, pageAndTotal } from './page.ts';

const WITH_PUNCHES = `EXISTS (SELECT FROM attendance_punches AS punch
  WHERE punch.organization_id = attendance_records.organization_id
    AND punch.member_id = attendance_records.member_id AND punch.work_date = attendance_records.work_date)`;

/**
 * The last 31 days of all members with their sessions, alerts and punches, the latest first. Days of which nothing is kept, from which an
 * alert may follow, are left out: here each day is kept.
 */
export const history: List = async (asked) => {
  const { organization_id, now } = asked;
  const [dated, plain]: Any[] = await Promise.all([
    database('attendance_dated_settings')
      .where({ organization_id })
      .orderBy('effective_from')
      .select('effective_from', 'settings'),
    database('attendance_settings').where({ organization_id }).first('settings'),
  ]);
  const today = todayBy(dated, now);
  const query = RecordModel.query()
    .where({ organization_id })
    .whereBetween('work_date', [daysLater(today, -30), today])
    .where((either) =>
      either.where('has_presence', true).orWhereRaw("leave <> '[]'").orWhereRaw(WITH_PUNCHES),
    );
  const [rows, total] = await pageAndTotal(query, ['id', 'member_id', 'work_date'], asked, [
    'work_date',
    'id',
  ]);
  if (rows.length === 0) return { items: [], total };
  const member_ids = [...new Set(rows.map(({ member_id }) => member_id))];
  const order = rows.map(({ work_date }) => work_date).sort();
  const [from, to] = [order[0], order.at(-1)];
  const [days_of, newest, punches] = await Promise.all([
    daysOf(organization_id, member_ids, { from: daysLater(from, -DAYS_BEFORE), to }),
    database('attendance_sessions')
      .where({ organization_id })
      .whereIn('member_id', member_ids)
      .groupBy('member_id')
      .select('member_id')
      .max('clock_in_at as clock_in_at'),
    database('attendance_punches')
      .where({ organization_id })
      .whereIn('member_id', member_ids)
      .whereBetween('work_date', [from, to])
      .orderBy(['occurred_at', 'id'])
      .select(punchColumns),
  ]);
  const newest_of: Any = new Map(newest.map((row) => [row.member_id, row]));
  const showing = showingWith({ now }, dated, { ...defaultPlain, ...plain?.settings }, newest_of);
  const shown = member_ids.flatMap((id) => shownWithin(days_of.get(id) ?? [], from, showing));
  const day_of = new Map(shown.map((day) => [keyOf(day), day]));
  const punches_of = Map.groupBy(punches, keyOf);
  const items = rows.map((row) => ({
    ...day_of.get(keyOf(row)),
    punches: (punches_of.get(keyOf(row)) ?? []).map((punch) => shownPunch(punch)),
  }));
  return { items, total };
};

const keyOf = ({ member_id, work_date }: Any) => `${member_id} ${work_date}`;

/** The days of members in order, with their sessions: as their period was closed with, else as they are kept. */
async function daysOf(organization_id: string, member_ids: string[], { from, to }: Any) {
  const ofMembers = (table: string) =>
    database(table)
      .where({ organization_id })
      .whereIn('member_id', member_ids)
      .whereBetween('work_date', [from, to]);
  const [records, sessions, recalculations, closed] = await Promise.all([
    ofMembers('attendance_records').orderBy('work_date').select(recordColumns),
    ofMembers('attendance_sessions').orderBy('clock_in_at').select(sessionColumns),
    database('attendance_recalculations')
      .where({ organization_id })
      .select('member_ids', 'from_date', 'done_through'),
    database('attendance_submissions as submission')
      .join('attendance_frozen_days as kept', (join) =>
        join
          .on('kept.organization_id', 'submission.organization_id')
          .on('kept.submission_id', 'submission.id')
          .on('kept.revision', 'submission.frozen_revision'),
      )
      .where('submission.organization_id', organization_id)
      .whereIn('submission.member_id', member_ids)
      .whereBetween('kept.work_date', [from, to])
      .select('submission.member_id', 'kept.work_date', 'kept.day', 'kept.alerts'),
  ]);
  const sessions_of = Map.groupBy(sessions, keyOf);
  const closed_of = new Map(closed.map((row) => [keyOf(row), row]));
  const days = records.map((row): Day => {
    const frozen: Any = closed_of.get(keyOf(row));
    if (frozen) return closedDay({ ...frozen, segments: [] });
    const is_stale = recalculations.some(
      ({ member_ids: asked, from_date, done_through }) =>
        row.member_id > done_through &&
        (from_date === null || row.work_date >= from_date) &&
        (asked === null || asked.includes(row.member_id)),
    );
    return { ...dayOfRow(row, sessions_of.get(keyOf(row)) ?? []), is_stale };
  });
  return Map.groupBy(days, ({ member_id }) => member_id);
}
