import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { jobById } from '../../platform/jobs/queries.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { fillCalendarJob } from './entries/jobs.ts';
import { providerOf } from './providers.ts';
import { lockConnection } from './queries.ts';
import {
  type CalendarConnection,
  type CalendarConnectionPatch,
  ConnectionModel,
  connectionFacts,
} from './record.ts';
import { type ConnectionRow, connectionById, connectionRow } from './rows.ts';
import { requestFollowedSync, requestSync } from './sync/request.ts';

/**
 * Decides which calendars of a connection check conflicts, and which one takes bookings: one of all that its owner has. What
 * was read of a calendar that checks no more is forgotten. Locks: the living connections of the owner, by ID.
 * Errors: `not_found`, `not_owner`, `connection_ended`, `unknown_reference`.
 */
export async function updateConnection(
  work: Work,
  id: string,
  { calendars = [] }: CalendarConnectionPatch,
): Promise<CalendarConnection> {
  const { user_id } = await connectionRow(work, id);
  const others = await lockOthers(work, user_id, id);
  const row = await lockConnection(work, id, 'owner_of_it');
  const before = await connectionById(work, id);
  work.precondition(before);
  requireLiving(row);
  const known = new Map(before.calendars.map((calendar) => [calendar.id, calendar]));
  for (const [index, { id: calendar_id, is_write_target }] of calendars.entries()) {
    if (!known.has(calendar_id)) throw unknownReference(`/calendars/${index}/id`, calendar_id);
    if (is_write_target && !providerOf(row.provider).writes) throw readOnly(index);
  }
  const target = calendars.find(({ is_write_target }) => is_write_target);
  if (target) await takeTarget(work, id, others);
  const decided = before.calendars.map((calendar) => {
    const asked = calendars.find((one) => one.id === calendar.id);
    const is_write_target = asked?.is_write_target ?? (calendar.is_write_target && !target);
    return {
      id: calendar.id,
      checks_conflicts: asked?.checks_conflicts ?? calendar.checks_conflicts,
      is_write_target,
    };
  });
  await decide(work, id, decided);
  const after = await connectionById(work, id);
  if (work.isSame(connectionFacts.updated, before, after)) return before;
  const updated_at = work.touch(row);
  work.update(ConnectionModel, id, { updated_at });
  work.record(connectionFacts.updated, { before, after: { ...after, updated_at } as CalendarConnection });
  const began = decided.filter(
    ({ id: calendar_id, checks_conflicts }) => checks_conflicts && !known.get(calendar_id)!.checks_conflicts,
  );
  for (const calendar of began) await requestSync(work, id, calendar.id);
  if (target) work.enqueue(fillCalendarJob, { connection_id: id });
  return { ...after, updated_at };
}

async function lockOthers(work: Work, user_id: string, id: string): Promise<string[]> {
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM scheduler_connections WHERE organization_id = $1 AND user_id = $2 AND status <> 'disconnected'
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, user_id],
  );
  return rows.map((row) => row.id).filter((other) => other !== id);
}

/** Takes the write target from the connection that has it: a host has one. */
async function takeTarget(work: Work, id: string, others: readonly string[]): Promise<void> {
  for (const other of others) {
    const before = await connectionById(work, other);
    if (other === id || !before.calendars.some((calendar) => calendar.is_write_target)) continue;
    await work.connection.query(
      'UPDATE scheduler_calendars SET is_write_target = false WHERE organization_id = $1 AND connection_id = $2',
      [work.organization_id, other],
    );
    const updated_at = work.touch(before);
    work.update(ConnectionModel, other, { updated_at });
    const after = await connectionById(work, other);
    work.record(connectionFacts.updated, { before, after: { ...after, updated_at } as CalendarConnection });
  }
}

type Decided = { id: string; checks_conflicts: boolean; is_write_target: boolean };

async function decide(work: Work, id: string, decided: readonly Decided[]): Promise<void> {
  const { connection, organization_id } = work;
  await connection.query(
    `UPDATE scheduler_calendars AS calendar
        SET checks_conflicts = decided.checks_conflicts, is_write_target = decided.is_write_target,
            sync_token = CASE WHEN decided.checks_conflicts THEN calendar.sync_token END,
            next_sync_at = CASE WHEN decided.checks_conflicts THEN calendar.next_sync_at END
       FROM jsonb_to_recordset($3::jsonb) AS decided (id text, checks_conflicts boolean, is_write_target boolean)
      WHERE calendar.organization_id = $1 AND calendar.connection_id = $2 AND calendar.id = decided.id`,
    [organization_id, id, JSON.stringify(decided)],
  );
  await connection.query(
    `DELETE FROM scheduler_external_events AS event USING scheduler_calendars AS calendar
      WHERE event.organization_id = $1 AND event.connection_id = $2
        AND calendar.organization_id = $1 AND calendar.connection_id = $2 AND calendar.id = event.calendar_id
        AND NOT calendar.checks_conflicts`,
    [organization_id, id],
  );
}

/**
 * Asks for a connection to be read now; where somebody has asked already, answers that job. Errors: `not_found`,
 * `not_owner`, `connection_ended`.
 */
export async function syncConnection(
  work: Work,
  id: string,
): Promise<{ connection: CalendarConnection; job: JobResource }> {
  requireLiving(await lockConnection(work, id, 'owner_of_it'));
  const job = await requestFollowedSync(work, id);
  work.nothingChanged();
  return { connection: await connectionById(work, id), job };
}

/** Errors: `connection_ended`. */
export function requireLiving({ status }: Pick<ConnectionRow, 'status'>): void {
  if (status === 'disconnected') throw new Failure('connection_ended');
}

function readOnly(index: number): Failure {
  return invalid(`/calendars/${index}/is_write_target`, 'invalid_value', {
    en: 'is_write_target must be false: calendars of this kind are read alone',
    ja: 'この種類のカレンダーは読み取り専用のため、is_write_target は false にしてください',
  });
}

/** The job that a connection is waiting for; null where there is none that the reader may see. */
export async function jobOfConnection(work: Work, job_id: string | null): Promise<JobResource | null> {
  if (job_id === null) return null;
  return jobById(work, job_id).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return null;
    throw error;
  });
}
