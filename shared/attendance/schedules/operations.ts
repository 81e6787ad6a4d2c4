import { Failure, invalid, invalidAll, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { recalculate } from '../recalculation/operations.ts';
import { lockSchedules, type ScheduleRow, scheduleOf } from './queries.ts';
import {
  type Schedule,
  type ScheduleInput,
  ScheduleModel,
  type SchedulePatch,
  scheduleFacts,
} from './record.ts';
import { DAILY_STATUTORY_MINUTES, type Shape, type ShapeInput, shapeOf } from './shape.ts';

type Changed = { schedule: Schedule; job: JobResource | null };

/** The schedule that a new organization begins with. */
export function createDefaultSchedule(work: Work): void {
  const breaks = [{ start: '12:00', end: '13:00' }];
  insertSchedule(work, {
    name: '標準',
    is_default: true,
    external_id: null,
    metadata: {},
    ...requireShape({ start: '09:00', end: '18:00', breaks }),
  });
}

/** Makes a schedule. Errors: `validation_failed`, `already_exists`. */
export async function createSchedule(work: Work, input: ScheduleInput): Promise<Changed> {
  const shape = requireShape(input);
  if (input.is_default) requireStatutory(shape, '/minutes');
  // Of two choices of the default at a time, the second one must find what the first one chose.
  if (input.is_default) await lockOrganization(work.connection, work.organization_id);
  const others = input.is_default ? await lockSchedules(work, []) : [];
  await noLongerDefault(work, others);
  const schedule = insertSchedule(work, {
    name: input.name,
    is_default: input.is_default,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    ...shape,
  });
  return { schedule, job: input.is_default ? await recalculate(work, EVERYBODY) : null };
}

/**
 * Changes the fields sent; what follows from the times follows their change where it was not said. Errors: `not_found`,
 * `precondition_failed`, `validation_failed`, also for more than 480 minutes where terms of another system than variable
 * hours name the schedule, and `already_exists`.
 */
export async function updateSchedule(work: Work, id: string, patch: SchedulePatch): Promise<Changed> {
  if (patch.is_default) await lockOrganization(work.connection, work.organization_id);
  const locked = await lockSchedules(work, [id]);
  const before = locked.find((each) => each.id === id);
  if (!before) throw notFound();
  work.precondition(before);
  if (before.is_default && patch.is_default === false) {
    throw invalid('/is_default', 'default_needed', {
      en: 'is_default must not be false: make another schedule the default instead',
      ja: 'is_default は false にできません。別の勤務時間を既定にしてください',
    });
  }
  const changed: Schedule = {
    ...before,
    name: patch.name ?? before.name,
    is_default: patch.is_default ?? before.is_default,
    external_id: patch.external_id === undefined ? before.external_id : patch.external_id,
    metadata: metadataAfter(before.metadata, patch.metadata),
    ...shapeAfter(before, patch),
  };
  if (changed.minutes > DAILY_STATUTORY_MINUTES) await requireVariable(work, changed);
  if (work.isSame(scheduleFacts.updated, before, changed)) return { schedule: before, job: null };
  const becomesDefault = changed.is_default && !before.is_default;
  if (becomesDefault) {
    await noLongerDefault(
      work,
      locked.filter((each) => each.id !== id),
    );
  }
  const schedule = saveSchedule(work, before, changed);
  const changesDays = becomesDefault || TIMES.some((field) => !isSameTime(before[field], changed[field]));
  return { schedule, job: changesDays ? await recalculate(work, EVERYBODY) : null };
}

/** Removes a schedule. Errors: `not_found`, `precondition_failed`, `in_use` for the default and for one that terms or rosters name. */
export async function deleteSchedule(work: Work, id: string): Promise<{ job: JobResource | null }> {
  const before = (await lockSchedules(work, [id])).find((each) => each.id === id);
  if (!before) throw notFound();
  work.precondition(before);
  if (before.is_default) {
    throw new Failure('in_use', {
      detail: {
        en: 'The schedule is the default; make another one the default first',
        ja: '既定の勤務時間です。先に別の勤務時間を既定にしてください',
      },
    });
  }
  const [used] = await work.connection.query<{ by_terms: boolean; by_roster: boolean }>(
    `SELECT EXISTS (SELECT FROM attendance_terms WHERE organization_id = $1 AND schedule_id = $2) AS by_terms,
            EXISTS (SELECT FROM attendance_roster_days WHERE organization_id = $1 AND schedule_id = $2) AS by_roster`,
    [work.organization_id, id],
  );
  if (used!.by_terms || used!.by_roster) {
    throw new Failure('in_use', {
      detail: {
        en: used!.by_terms ? 'Terms of members name the schedule' : 'Rosters name the schedule',
        ja: used!.by_terms ? '勤務条件で使われています' : 'シフト表で使われています',
      },
    });
  }
  work.remove(ScheduleModel, id);
  work.record(scheduleFacts.deleted, { before, after: null });
  return { job: null };
}

const EVERYBODY = { member_ids: null, from: null };

const TIMES = ['start', 'end', 'breaks', 'minutes', 'half_day', 'core'] as const;

function isSameTime(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function insertSchedule(work: Work, fields: Omit<ScheduleRow, 'id' | 'created_at' | 'updated_at'>): Schedule {
  const at = work.now.toISOString();
  const row: ScheduleRow = { id: newId('wsch', work.now), ...fields, created_at: at, updated_at: at };
  const schedule = scheduleOf(row);
  work.insert(ScheduleModel, row);
  work.record(scheduleFacts.created, { before: null, after: schedule });
  return schedule;
}

function saveSchedule(work: Work, before: Schedule, changed: Schedule): Schedule {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, created_at, ...columns } = after;
  work.update(ScheduleModel, id, columns);
  work.record(scheduleFacts.updated, { before, after });
  return after;
}

/** Of the locked schedules the default one gives that up; its row is written before that of the new one. */
async function noLongerDefault(work: Work, locked: readonly Schedule[]): Promise<void> {
  for (const other of locked.filter(({ is_default }) => is_default)) {
    saveSchedule(work, other, { ...other, is_default: false });
  }
  await work.flush();
}

/** Errors: `validation_failed`. */
function requireShape(input: ShapeInput): Shape {
  const made = shapeOf(input);
  if ('faults' in made) throw invalidAll(made.faults);
  return made.shape;
}

/** The times after a change: `minutes` and `half_day` that followed from the times before follow from the new ones. */
function shapeAfter(before: Schedule, patch: SchedulePatch): Shape {
  const derived = requireShape({ start: before.start, end: before.end, breaks: before.breaks });
  const kept = <Field extends 'minutes' | 'half_day'>(field: Field) =>
    isSameTime(before[field], derived[field]) ? null : before[field];
  return requireShape({
    start: patch.start ?? before.start,
    end: patch.end ?? before.end,
    breaks: patch.breaks ?? before.breaks,
    minutes: patch.minutes === undefined ? kept('minutes') : patch.minutes,
    half_day: patch.half_day === undefined ? kept('half_day') : patch.half_day,
    core: patch.core === undefined ? before.core : patch.core,
  });
}

/** Errors: `validation_failed` at `path` for a day longer than 8 hours. */
export function requireStatutory({ minutes }: Pick<Shape, 'minutes'>, path: string): void {
  if (minutes <= DAILY_STATUTORY_MINUTES) return;
  throw invalid(path, 'over_statutory_day', {
    en: `${path.split('/').at(-1)}: over ${DAILY_STATUTORY_MINUTES} minutes a day are for variable_monthly alone`,
    ja: `${path.split('/').at(-1)}：1日${DAILY_STATUTORY_MINUTES}分を超えられるのは variable_monthly だけです`,
  });
}

/** Errors: `validation_failed` at /minutes where others than people with variable hours have this schedule. */
async function requireVariable(work: Work, changed: Schedule): Promise<void> {
  if (changed.is_default) requireStatutory(changed, '/minutes');
  const others = await work.connection.query(
    `SELECT FROM attendance_terms
      WHERE organization_id = $1 AND schedule_id = $2 AND work_system <> 'variable_monthly' LIMIT 1`,
    [work.organization_id, changed.id],
  );
  if (others.length > 0) requireStatutory(changed, '/minutes');
}
