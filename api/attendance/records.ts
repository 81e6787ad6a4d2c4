import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { putRecord } from '../../shared/attendance/records/operations.ts';
import { recordByDay } from '../../shared/attendance/records/queries.ts';
import { AttendanceRecordInFull, RecordInput } from '../../shared/attendance/records/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/attendance/records/:member_id/:work_date';

const params = z.object({ member_id: id('mem'), work_date: attendanceDay() });

const RecordReply = z.strictObject({ record: AttendanceRecordInFull });

export const records = [
  read({
    id: 'attendance.records.get',
    method: 'get',
    path: PATH,
    scope: 'attendance:read',
    summary: 'Read a day of a member',
    description:
      'Also one on which nothing was recorded. `punches` are as they were punched, `revisions` what replaced the sessions since, `segments` the day piece by piece.',
    params,
    reply: RecordReply,
    handle: async ({ params }, reader) => ({
      record: await recordByDay(reader, params.member_id, params.work_date),
    }),
  }),
  write({
    id: 'attendance.records.replace',
    method: 'put',
    path: PATH,
    scope: 'attendance:write',
    summary: 'Replace the sessions of a day',
    description:
      "By managers for their team, by owners and admins for everybody. A revision keeps what was there; punches stay as they are, and later ones go on from the new sessions. Only the member's newest session may be without end. With `If-Match` a change by somebody else meanwhile is 412; its revision is the record's `version`.",
    params,
    body: RecordInput,
    reply: RecordReply,
    raises: ['role_required', 'month_locked', 'not_employed', 'overlapping_session'],
    handle: async ({ params, body }, work) => ({
      record: await putRecord(work, params.member_id, params.work_date, body),
    }),
  }),
];
