import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { day, timestamp } from '../../kernel/schema.ts';
import { alertCodes } from '../days/alerts.ts';
import { punchTypes, standingAt } from '../days/punch-states.ts';
import type { Session } from '../days/types.ts';
import { shownRecord } from '../records/queries.ts';
import { newestSessions } from '../records/rows.ts';
import { plainSettings, todayOf } from '../settings/queries.ts';
import { seenMember } from '../sight/people.ts';
import { Punch, punchStates } from './record.ts';
import { lastPunch, shownPunch } from './rows.ts';

const soFar = () =>
  z
    .int()
    .min(0)
    .meta({ examples: [0] });

/** What a member does, and may punch. */
export const PunchStatus = z
  .strictObject({
    state: z.enum(punchStates).meta({ examples: ['working'] }),
    session_started_at: timestamp().nullable(),
    work_date: day().nullable().describe('That of the session that runs; null: none does.'),
    worked_minutes_so_far: soFar().describe('Of the session that runs, without breaks and rounding.'),
    break_minutes_so_far: soFar(),
    allowed_types: z.array(z.enum(punchTypes)).meta({ examples: [['break_start', 'clock_out']] }),
    last_punch: Punch.nullable(),
    alerts: z
      .array(z.enum(alertCodes))
      .describe('Those of the work date, of today while no session runs.')
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'AttendancePunchStatus' });

export type PunchStatus = z.output<typeof PunchStatus>;

/** The status at an instant, by the newest session; alerts and the last punch are told beside it. */
export function statusAt(
  newest: Session | null,
  at: string,
  max_session_hours: number,
): Omit<PunchStatus, 'last_punch' | 'alerts'> {
  const { state, is_expired, allowed_types } = standingAt(newest, at, max_session_hours);
  const runs = newest !== null && newest.clock_out_at === null && !is_expired;
  const breaks = runs ? newest.breaks : [];
  const paused = breaks.reduce(
    (sum, { start_at, end_at }) => sum + Math.max(0, Date.parse(end_at ?? at) - Date.parse(start_at)),
    0,
  );
  const elapsed = runs ? Math.max(0, Date.parse(at) - Date.parse(newest.clock_in_at)) : 0;
  return {
    state,
    session_started_at: runs ? newest.clock_in_at : null,
    work_date: runs ? newest.work_date : null,
    worked_minutes_so_far: Math.floor(Math.max(0, elapsed - paused) / 60_000),
    break_minutes_so_far: Math.floor(paused / 60_000),
    allowed_types,
  };
}

/** What a member does now: who asks, unless another one is named. Errors: `not_found`. */
export async function punchStatus(reader: Reader, member_id: string | undefined): Promise<PunchStatus> {
  const person = await seenMember(reader, member_id);
  const [newest, settings, today, last] = await Promise.all([
    newestSessions(reader, [person.id]),
    plainSettings(reader),
    todayOf(reader),
    lastPunch(reader, person.id),
  ]);
  const session = newest.get(person.id) ?? null;
  const status = statusAt(session, reader.now.toISOString(), settings.max_session_hours);
  const record = await shownRecord(reader, person.id, status.work_date ?? today);
  return { ...status, last_punch: last && shownPunch(last), alerts: record.alerts };
}
