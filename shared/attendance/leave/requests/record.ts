import { z } from 'zod';
import { uniqueKey } from '../../../db/constraint.ts';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { recordKind } from '../../../kernel/record-kind.ts';
import { addFault, computed, computedIn, freeText, id } from '../../../kernel/schema.ts';
import { attendanceDay } from '../../dates.ts';
import { requestFields, requestInput } from '../../requests/record.ts';
import { clockTime } from '../../settings/fields.ts';
import { seesOwnerIn } from '../../sight/owner.ts';
import { leaveTypes, leaveUnits } from '../kinds.ts';

/** Days from the first to the last that one request may have: what is longer is asked for in parts. */
export const MOST_DAYS = 366;

const reason = () =>
  freeText(500)
    .nullable()
    .meta({ examples: ['私用のため'] });

const fields = {
  type: z
    .enum(leaveTypes)
    .describe('`paid_annual`, `compensatory` and `special` are taken from grants.')
    .meta({ examples: ['paid_annual'] }),
  unit: z.enum(leaveUnits).describe('`hourly` only where the settings enable it.'),
  start_date: attendanceDay(),
  end_date: attendanceDay().describe('The last day; that of `start_date` unless `unit` is `full`.'),
  start_unit: z
    .enum(['full', 'half_pm'])
    .nullable()
    .describe('With `full`: `half_pm` takes the afternoon alone of the first day.'),
  end_unit: z
    .enum(['full', 'half_am'])
    .nullable()
    .describe('With `full`: `half_am` takes the morning alone of the last day.'),
  start_time: clockTime()
    .nullable()
    .describe('With `hourly`.')
    .meta({ examples: [null] }),
  hours: z
    .int()
    .min(1)
    .max(24)
    .nullable()
    .describe('With `hourly`: whole hours of working time, breaks not counted.')
    .meta({ examples: [null] }),
  reason: reason(),
};

const Consumed = z.strictObject({
  grant_id: id('lgrant'),
  days: z.number().meta({ examples: [1] }),
  hours: z.int().meta({ examples: [0] }),
});

/** A request for leave, as the API shows it. */
export const LeaveRequest = z
  .strictObject({
    id: id('lreq'),
    object: z.literal('attendance.leave_request'),
    member_id: id('mem'),
    ...fields,
    days: computed(z.number())
      .describe('Workdays and halves of them that it takes; 0 for hours.')
      .meta({ examples: [1] }),
    consumed: computed(z.array(Consumed)).describe(
      'What it takes of which grants, while pending or approved.',
    ),
    ...requestFields,
  })
  .meta({ id: 'LeaveRequest' });

export type LeaveRequest = z.output<typeof LeaveRequest>;

/** What a new request is made from. */
export const LeaveRequestInput = z
  .strictObject({
    member_id: requestInput.member_id,
    type: fields.type,
    unit: fields.unit.default('full'),
    start_date: fields.start_date,
    end_date: fields.end_date.optional(),
    start_unit: fields.start_unit.default(null),
    end_unit: fields.end_unit.default(null),
    start_time: fields.start_time.default(null),
    hours: fields.hours.default(null),
    reason: fields.reason.default(null),
    external_id: requestInput.external_id,
    metadata: requestInput.metadata,
  })
  .superRefine((input, issues) => {
    const { unit, start_date, end_date = start_date } = input;
    const fault = (field: string, code: string, en: string, ja: string) =>
      addFault(issues, field, code, { en, ja });
    if (end_date < start_date)
      fault(
        'end_date',
        'too_small',
        'must not be before start_date',
        'は start_date 以降の日付で指定してください',
      );
    else if (unit !== 'full' && end_date !== start_date) {
      fault(
        'end_date',
        'not_allowed',
        'must be start_date unless unit is full',
        'は unit が full 以外のとき start_date と同じ日付にしてください',
      );
    } else if (Date.parse(end_date) - Date.parse(start_date) >= MOST_DAYS * 86_400_000) {
      fault(
        'end_date',
        'too_large',
        `must be at most ${MOST_DAYS} days from start_date on`,
        `は start_date から${MOST_DAYS}日以内で指定してください`,
      );
    }
    for (const field of ['start_unit', 'end_unit'] as const) {
      if (unit !== 'full' && input[field] !== null) {
        fault(field, 'not_allowed', 'belongs to the unit full', 'は unit が full のときだけ指定できます');
      }
    }
    if (start_date === end_date && input.start_unit === 'half_pm' && input.end_unit === 'half_am') {
      fault(
        'end_unit',
        'not_allowed',
        'leaves nothing of the only day',
        'を指定すると、取得する時間がなくなります',
      );
    }
    for (const field of ['start_time', 'hours'] as const) {
      const has = input[field] !== null;
      if (unit === 'hourly' && !has)
        fault(field, 'required', 'is required with the unit hourly', 'は unit が hourly のとき必須です');
      if (unit !== 'hourly' && has)
        fault(field, 'not_allowed', 'belongs to the unit hourly', 'は unit が hourly のときだけ指定できます');
    }
  })
  .meta({ id: 'LeaveRequestInput' });

export type LeaveRequestInput = z.output<typeof LeaveRequestInput>;

export class LeaveRequestModel extends TenantModel {
  static override tableName = 'attendance_leave_requests';
  static override jsonAttributes = ['metadata'];
}

/** What requests are looked up by. */
export const leaveRequestKind = recordKind({ table: LeaveRequestModel.tableName, prefix: 'lreq' });

export const leaveRequestFacts = factsOf({
  domain: 'attendance',
  entity_type: 'leave_request',
  computed: computedIn(LeaveRequest),
});

uniqueKey('attendance_leave_requests_external_id_once', {
  table: LeaveRequestModel.tableName,
  read_by: 'attendance:read',
  sees: seesOwnerIn(LeaveRequestModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another leave request has this external_id',
    ja: 'この external_id はほかの休暇申請が使っています',
  },
});
