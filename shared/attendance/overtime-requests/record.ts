import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { minuteOf } from '../../kernel/local-time.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { addFault, computed, computedIn, day, id, timestamp } from '../../kernel/schema.ts';
import { attendanceDay, attendanceTime } from '../dates.ts';
import { AttendanceLimits } from '../months/record.ts';
import { requestColumns, requestFields, requestInput, requiredReason } from '../requests/record.ts';
import { seesOwnerIn } from '../sight/owner.ts';

/** The longest time that one request plans. */
const MOST_MINUTES = 24 * 60;

const kind = () =>
  z
    .enum(['before', 'after', 'holiday'])
    .describe('Before or after the working time, or on a holiday.')
    .meta({ examples: ['after'] });

const minutes = () => computed(z.int()).meta({ examples: [120] });

/** A request to work beyond the schedule, as the API shows it. */
export const OvertimeRequest = z
  .strictObject({
    id: id('otreq'),
    object: z.literal('attendance.overtime_request'),
    member_id: id('mem'),
    work_date: day(),
    kind: kind(),
    planned_start_at: timestamp(),
    planned_end_at: timestamp(),
    planned_minutes: minutes(),
    actual_minutes: minutes().describe(
      'Worked in the planned time and not `scheduled`, as the records have it now.',
    ),
    limit_preview: computed(AttendanceLimits.nullable()).describe(
      'The limits of its month as of today, with the planned minutes that are not worked yet: as work on a legal holiday where it is one, else as overtime. Null once the request is rejected or cancelled, for approved time that is over, and for who is exempt.',
    ),
    reason: requiredReason(),
    ...requestFields,
  })
  .meta({ id: 'OvertimeRequest' });

export type OvertimeRequest = z.output<typeof OvertimeRequest>;

/** What a new overtime request is made from. */
export const OvertimeRequestInput = z
  .strictObject({
    ...requestInput,
    work_date: attendanceDay(),
    kind: kind(),
    planned_start_at: attendanceTime(),
    planned_end_at: attendanceTime(),
    reason: requiredReason(),
  })
  .superRefine(({ planned_start_at, planned_end_at }, issues) => {
    const length = minuteOf(planned_end_at) - minuteOf(planned_start_at);
    if (length < 1) {
      addFault(issues, 'planned_end_at', 'too_small', {
        en: 'must be at least a minute after planned_start_at',
        ja: 'は planned_start_at より1分以上後の日時で指定してください',
      });
    } else if (length > MOST_MINUTES) {
      addFault(issues, 'planned_end_at', 'too_large', {
        en: 'must be at most 24 hours after planned_start_at',
        ja: 'は planned_start_at から24時間以内で指定してください',
      });
    }
  })
  .meta({ id: 'OvertimeRequestInput' });

export type OvertimeRequestInput = z.output<typeof OvertimeRequestInput>;

export const overtimeRequestColumns = [
  'work_date',
  'kind',
  'planned_start_at',
  'planned_end_at',
  ...requestColumns,
] as const;

/** An overtime request as it is kept. */
export type OvertimeRequestRow = Pick<OvertimeRequest, (typeof overtimeRequestColumns)[number]>;

export class OvertimeRequestModel extends TenantModel {
  static override tableName = 'attendance_overtime_requests';
  static override jsonAttributes = ['metadata'];
}

/** What overtime requests are looked up by. */
export const overtimeRequestKind = recordKind({ table: OvertimeRequestModel.tableName, prefix: 'otreq' });

export const overtimeRequestFacts = factsOf({
  domain: 'attendance',
  entity_type: 'overtime_request',
  computed: computedIn(OvertimeRequest),
});

uniqueKey('attendance_overtime_requests_external_id_once', {
  table: OvertimeRequestModel.tableName,
  read_by: 'attendance:read',
  sees: seesOwnerIn(OvertimeRequestModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another overtime request has this external_id',
    ja: 'この external_id はほかの残業申請が使っています',
  },
});
