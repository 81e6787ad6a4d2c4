import { type FieldError, invalidAll, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { recalculate } from '../recalculation/operations.ts';
import { DAILY_STATUTORY_MINUTES } from '../schedules/shape.ts';
import { roleRequired } from '../sight/people.ts';
import { membersSeen, sightOf } from '../sight/sight.ts';
import { closedPeriodOn, closedPeriodsOf, monthLocked } from '../submissions/closed.ts';
import type { WorkSystem } from '../terms/record.ts';
import { type RosterRow, rosterColumns, rosterDayOf } from './queries.ts';
import { type RosterDay, RosterDayModel, type RosterItem, rosterFacts } from './record.ts';

/**
 * Writes days of the roster, all or none: days that are there are changed, `day_type` null takes them out. Answers the days
 * that are there afterwards, in the order of the call. Errors: `role_required`, `unknown_reference`, `month_locked`,
 * `validation_failed` at /items/n/field.
 */
export async function writeRoster(
  work: Work,
  items: readonly RosterItem[],
): Promise<{ items: RosterDay[]; job: JobResource | null }> {
  if ((await sightOf(work)).of === 'own') throw roleRequired(NOT_OWN);
  requireDistinctDays(items);
  const member_ids = [...new Set(items.map(({ member_id }) => member_id))].sort();
  await lockMembers(work, items, member_ids);
  await requireSchedules(work, items);
  const known = await knownDays(work, items);
  await requireOpenDays(work, items, known);
  const at = work.now.toISOString();
  const shown: RosterDay[] = [];
  const made: RosterRow[] = [];
  const changed: RosterRow[] = [];
  let isSame = true;
  for (const { member_id, date, day_type, schedule_id } of items) {
    const before = known.get(keyOf(member_id, date));
    if (day_type === null) {
      if (!before) continue;
      work.remove(RosterDayModel, before.id);
      work.record(rosterFacts.deleted, { before: rosterDayOf(before), after: null });
      isSame = false;
      continue;
    }
    if (!before) {
      const row = {
        id: newId('rost', work.now),
        member_id,
        date,
        day_type,
        schedule_id,
        created_at: at,
        updated_at: at,
      };
      made.push(row);
      shown.push(rosterDayOf(row));
      continue;
    }
    const next = { ...before, day_type, schedule_id };
    if (next.day_type !== before.day_type || next.schedule_id !== before.schedule_id) {
      next.updated_at = work.touch(before);
      changed.push(next);
      work.record(rosterFacts.updated, { before: rosterDayOf(before), after: rosterDayOf(next) });
    }
    shown.push(rosterDayOf(next));
  }
  work.insertAll(RosterDayModel, made);
  for (const row of made) work.record(rosterFacts.created, { before: null, after: rosterDayOf(row) });
  work.updateAll(
    RosterDayModel,
    changed.map(({ id, day_type, schedule_id, updated_at }) => ({ id, day_type, schedule_id, updated_at })),
  );
  if (isSame && made.length === 0 && changed.length === 0) {
    work.nothingChanged();
    return { items: shown, job: null };
  }
  const from = items.map(({ date }) => date).sort()[0]!;
  return { items: shown, job: await recalculate(work, { member_ids, from }) };
}

const NOT_OWN = {
  en: 'As member you cannot change rosters; managers, admins and owners do',
  ja: 'member の役割ではシフト表を変更できません。manager、admin、owner が変更します',
};

const keyOf = (member_id: string, date: string) => `${member_id} ${date}`;

/** Errors: `validation_failed` at /items/n/date. */
function requireDistinctDays(items: readonly RosterItem[]): void {
  const first = new Map<string, number>();
  const faults = items.flatMap(({ member_id, date }, index): FieldError[] => {
    const earlier = first.get(keyOf(member_id, date));
    if (earlier === undefined) {
      first.set(keyOf(member_id, date), index);
      return [];
    }
    const message = {
      en: `items/${earlier} is the same day of the same member`,
      ja: `items/${earlier} と同じメンバーの同じ日です`,
    };
    return [{ in: 'body', path: `/items/${index}/date`, code: 'duplicate', message }];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

/**
 * The rows of the members are what two changes of their rosters at a time wait for. Errors: `unknown_reference` at
 * /items/n/member_id for members whom the caller does not see.
 */
async function lockMembers(
  work: Work,
  items: readonly RosterItem[],
  member_ids: readonly string[],
): Promise<void> {
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM attendance_members WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id
      FOR NO KEY UPDATE`,
    [work.organization_id, member_ids],
  );
  const seen = await membersSeen(work);
  const usable = new Set(rows.map(({ id }) => id).filter((id) => seen === null || seen.includes(id)));
  const index = items.findIndex(({ member_id }) => !usable.has(member_id));
  if (index >= 0) throw unknownReference(`/items/${index}/member_id`, items[index]!.member_id);
}

/** Days of closed periods stay as they are; items that change nothing may name them. Errors: `month_locked`. */
async function requireOpenDays(
  work: Work,
  items: readonly RosterItem[],
  known: ReadonlyMap<string, RosterRow>,
): Promise<void> {
  const dates = items.map(({ date }) => date).toSorted();
  const member_ids = [...new Set(items.map(({ member_id }) => member_id))];
  const closed = await closedPeriodsOf(work, member_ids, { from: dates[0]!, to: dates.at(-1)! });
  for (const { member_id, date, day_type, schedule_id } of items) {
    const before = known.get(keyOf(member_id, date));
    const isSame =
      (before?.day_type ?? null) === day_type && (day_type === null || before?.schedule_id === schedule_id);
    const period = isSame ? undefined : closedPeriodOn(closed.get(member_id)!, date);
    if (period) throw monthLocked(period.month, date);
  }
}

/** Errors: `unknown_reference`, `validation_failed`, both at /items/n/schedule_id. */
async function requireSchedules(work: Work, items: readonly RosterItem[]): Promise<void> {
  const ids = [...new Set(items.flatMap(({ schedule_id }) => schedule_id ?? []))].sort();
  if (ids.length === 0) return;
  const rows = await work.connection.query<{ id: string; minutes: number }>(
    'SELECT id, minutes FROM attendance_schedules WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR SHARE',
    [work.organization_id, ids],
  );
  const minutes = new Map(rows.map((row) => [row.id, row.minutes]));
  const unknown = items.findIndex(({ schedule_id }) => schedule_id !== null && !minutes.has(schedule_id));
  if (unknown >= 0) {
    throw unknownReference(`/items/${unknown}/schedule_id`, items[unknown]!.schedule_id!);
  }
  const long = items
    .map((item, index) => ({ ...item, index }))
    .filter(({ schedule_id }) => schedule_id !== null && minutes.get(schedule_id)! > DAILY_STATUTORY_MINUTES);
  const systems = await systemsOn(work, long);
  const faults = long
    .filter((_, place) => systems[place] !== 'variable_monthly')
    .map(
      ({ index }): FieldError => ({
        in: 'body',
        path: `/items/${index}/schedule_id`,
        code: 'over_statutory_day',
        message: TOO_LONG,
      }),
    );
  if (faults.length > 0) throw invalidAll(faults);
}

const TOO_LONG = {
  en: `schedule_id names a schedule over ${DAILY_STATUTORY_MINUTES} minutes a day, which are for variable_monthly alone`,
  ja: `schedule_id の勤務時間が1日${DAILY_STATUTORY_MINUTES}分を超えています。超えられるのは variable_monthly だけです`,
};

/** The systems of members on dates, in the order of the items. */
async function systemsOn(
  { connection, organization_id }: Work,
  items: readonly { member_id: string; date: string }[],
): Promise<WorkSystem[]> {
  if (items.length === 0) return [];
  const rows = await connection.query<{ work_system: WorkSystem }>(
    `SELECT coalesce(terms.work_system, 'fixed') AS work_system
       FROM unnest($2::text[], $3::date[]) WITH ORDINALITY AS day (member_id, date, place)
       LEFT JOIN LATERAL (
         SELECT work_system FROM attendance_terms
          WHERE organization_id = $1 AND member_id = day.member_id AND effective_from <= day.date
          ORDER BY effective_from DESC LIMIT 1) AS terms ON true
      ORDER BY day.place`,
    [organization_id, items.map(({ member_id }) => member_id), items.map(({ date }) => date)],
  );
  return rows.map(({ work_system }) => work_system);
}

async function knownDays(work: Work, items: readonly RosterItem[]): Promise<Map<string, RosterRow>> {
  const columns = rosterColumns.map((column) => `day.${column}`).join(', ');
  const rows = await work.connection.query<RosterRow>(
    `SELECT ${columns} FROM unnest($2::text[], $3::date[]) AS asked (member_id, date)
       JOIN attendance_roster_days AS day
         ON day.organization_id = $1 AND day.member_id = asked.member_id AND day.date = asked.date`,
    [work.organization_id, items.map(({ member_id }) => member_id), items.map(({ date }) => date)],
  );
  return new Map(rows.map((row) => [keyOf(row.member_id, row.date), row]));
}
