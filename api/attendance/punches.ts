import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { createPunches, type PunchOutcome } from '../../shared/attendance/punches/batch.ts';
import { DayOfHistory, historyDates, historyPage } from '../../shared/attendance/punches/history.ts';
import { createPunch } from '../../shared/attendance/punches/operations.ts';
import {
  BatchedPunch,
  Punch,
  PunchInput,
  PunchOutcomeShown,
} from '../../shared/attendance/punches/record.ts';
import { PunchStatus, punchStatus } from '../../shared/attendance/punches/status.ts';
import { AttendanceRecord } from '../../shared/attendance/records/record.ts';
import { shownCode } from '../../shared/domains.ts';
import { id } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { statusOf } from '../http/failure-status.ts';
import { list } from '../http/list.ts';
import { whose } from './org.ts';
import { requireSpan } from './span.ts';

const PATH = '/api/v1/attendance/punches';

function shownOutcome(outcome: PunchOutcome): z.input<typeof PunchOutcomeShown> {
  const { index } = outcome;
  if ('punch' in outcome) {
    return { index, status: outcome.punch.duplicate ? 200 : 201, code: null, punch: outcome.punch };
  }
  const { refused } = outcome;
  return { index, status: statusOf(refused), code: shownCode(refused.code), punch: null };
}

export const punches = [
  write({
    id: 'attendance.punches.create',
    method: 'post',
    path: PATH,
    scope: 'attendance:write',
    status: 201,
    also: [200],
    summary: 'Punch',
    description:
      'For yourself, or as manager, admin or owner for somebody else. Punches of one member come one after the other, each from the state that the one before left: `clock_in` begins a session, `clock_out` ends it and a break that runs. One that repeats the last of its type within `duplicate_window_seconds` is answered with 200 and `duplicate: true`, and nothing is written. With `occurred_at`, `status` is as of that time.',
    body: PunchInput,
    reply: z.strictObject({ punch: Punch, status: PunchStatus, record: AttendanceRecord }),
    raises: [
      'role_required',
      'unknown_reference',
      'occurred_at_not_allowed',
      'future_time',
      'month_locked',
      'not_employed',
      'out_of_order',
      'already_clocked_in',
      'not_clocked_in',
      'already_on_break',
      'not_on_break',
      'session_expired',
      'overlapping_session',
    ],
    handle: async ({ body }, work) => {
      const punched = await createPunch(work, body);
      if (punched.punch.duplicate) return new Answer(200, punched);
      const { member_id, work_date } = punched.punch;
      return new Answer(201, punched, { Location: `/api/v1/attendance/records/${member_id}/${work_date}` });
    },
  }),
  write({
    id: 'attendance.punches.batch',
    method: 'post',
    path: `${PATH}/batch`,
    scope: 'attendance:write',
    summary: 'Punch for many',
    description:
      'For owners and admins: what a terminal kept while it was offline. Each punch is made or refused as if it was sent alone, those of a member in order of time; a refused one stops no other, and has the status and the code that it would have been answered with. A fault of form refuses the batch. Send an Idempotency-Key: then the batch can be sent again.',
    body: z.strictObject({ punches: z.array(BatchedPunch).min(1).max(1_000) }),
    reply: z.strictObject({ items: z.array(PunchOutcomeShown) }),
    raises: ['role_required'],
    handle: async ({ body }, work) => {
      const outcomes = await createPunches(work, body.punches);
      return { items: outcomes.map(shownOutcome) };
    },
  }),
  read({
    id: 'attendance.punches.status',
    method: 'get',
    path: `${PATH}/status`,
    scope: 'attendance:read',
    summary: 'What a member does now',
    description:
      'Yours unless `member_id` says whose. A session that is over `max_session_hours` is shown as `off_duty`: its end is missing.',
    query: z.strictObject({ member_id: id('mem').optional() }),
    reply: z.strictObject({ status: PunchStatus }),
    raises: ['not_found'],
    handle: async ({ query }, reader) => ({ status: await punchStatus(reader, query.member_id) }),
  }),
  list({
    id: 'attendance.punches.history',
    path: `${PATH}/history`,
    scope: 'attendance:read',
    summary: 'List days with their punches',
    description:
      'Days on which members whose days you may read were there, punched or had leave, the latest first. `from` and `to` are at most 366 days apart; 31 days to today unless said.',
    item: DayOfHistory,
    filters: z.object({ from: attendanceDay().optional(), to: attendanceDay().optional(), ...whose }),
    sorts: ['work_date'],
    handle: async ({ filters: { from, to, ...asked }, window }, reader) => {
      const dates = await historyDates(reader, { from, to });
      requireSpan(dates);
      return historyPage(reader, { ...asked, ...dates }, window);
    },
  }),
];
