import { z } from 'zod';
import { uniqueKey } from '../../../db/constraint.ts';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { says } from '../../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../../kernel/own-keys.ts';
import { computed, computedIn, DecimalSource, day, freeText, id, timestamp } from '../../../kernel/schema.ts';
import { attendanceDay } from '../../dates.ts';
import { balanceTypes } from '../kinds.ts';
import { rateSources } from '../rules/attendance-rate.ts';
import { leaveTables } from '../rules/law.ts';

/** The most days that one grant may have. */
const MOST_DAYS = 999;

/** Days and half-days: 10, 1.5. They become a number, which holds halves exactly. */
export function halfDays(least: number) {
  return z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => (value instanceof DecimalSource ? value.text : String(value)))
    .refine((text) => /^\d{1,3}(\.[05]0*)?$/.test(text) && Number(text) >= least, {
      params: { code: 'invalid_value' },
      error: says({
        en: `must be days or half-days from ${least} to ${MOST_DAYS}, for example 1.5`,
        ja: `は${least}〜${MOST_DAYS}日を0.5日単位で指定してください（例：1.5）`,
      }),
    })
    .transform(Number)
    .meta({
      jsonSchema: { type: 'number', minimum: least, maximum: MOST_DAYS, multipleOf: 0.5 },
      examples: [10],
    });
}

const shownDays = (days: number) => z.number().meta({ examples: [days] });
const hours = (count: number) => z.int().meta({ examples: [count] });

const fields = {
  type: z.enum(balanceTypes).describe('`paid_annual` is the annual leave of article 39.'),
  granted_on: attendanceDay().describe('The first day on which it can be taken.'),
  note: freeText(500)
    .nullable()
    .meta({ examples: ['永年勤続'] }),
};

const Basis = z
  .strictObject({
    grant_index: z.int().describe('0 for the first grant after the hire.'),
    service_months: z.int().meta({ examples: [6] }),
    table: z.enum(leaveTables).describe('By which table the days are counted.'),
    attendance_rate_percent: z
      .number()
      .nullable()
      .describe('With one decimal, cut; null where no workday counts.')
      .meta({ examples: [97.4] }),
    rate_source: z.enum(rateSources),
  })
  .meta({ id: 'LeaveGrantBasis' });

export type Basis = z.output<typeof Basis>;

/** What follows from the requests that use a grant, as of a day. */
export const grantFigures = {
  used_days: computed(shownDays(3)).describe('Of approved requests, to the day asked for.'),
  used_hours: computed(hours(13)),
  reserved_days: computed(shownDays(1)).describe('Of other requests that are pending or approved.'),
  reserved_hours: computed(hours(0)),
  remaining_days: computed(shownDays(7)),
  remaining_hours: computed(hours(3)).describe('Of a day that was opened for hours.'),
  lapsed_days: computed(shownDays(0)).describe('What was left when it expired.'),
};

const grant = {
  object: z.literal('attendance.leave_grant'),
  member_id: id('mem'),
  type: fields.type,
  granted_on: fields.granted_on,
  expires_on: day().nullable().describe('The last day on which it can be taken; null: it has no days.'),
  days: shownDays(10),
  ...grantFigures,
  five_day_duty: computed(z.boolean()).describe('Annual leave of 10 days or more: 5 must be taken.'),
  reason: z.enum(['statutory', 'manual']),
  note: fields.note,
  basis: Basis.nullable().describe('How a statutory grant came about; null for manual ones.'),
  created_by: id('usr').nullable().describe('null: granted by itself.'),
  ...ownKeys,
};

/** Days of leave that a member got, as the API shows them. */
export const LeaveGrant = z
  .strictObject({ id: id('lgrant'), ...grant, created_at: timestamp(), updated_at: timestamp() })
  .meta({ id: 'LeaveGrant' });

export type LeaveGrant = z.output<typeof LeaveGrant>;

/** A grant that may be one to come, which is not kept. */
export const GrantToCome = z
  .strictObject({
    id: id('lgrant').nullable().describe('null with `dry_run`.'),
    ...grant,
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'LeaveGrantToCome' });

export type GrantToCome = z.output<typeof GrantToCome>;

export const LeaveGrantInput = z
  .strictObject({
    member_id: id('mem').optional(),
    type: fields.type.default('paid_annual'),
    days: halfDays(0.5),
    granted_on: fields.granted_on,
    expires_on: attendanceDay()
      .describe('The last day; of `paid_annual` two years after the grant unless said.')
      .optional(),
    note: fields.note.default(null),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'LeaveGrantInput' });

export type LeaveGrantInput = z.output<typeof LeaveGrantInput>;

export const LeaveGrantPatch = z
  .strictObject({
    days: halfDays(0).describe('Not below what was taken of it.'),
    granted_on: fields.granted_on,
    expires_on: attendanceDay(),
    note: fields.note,
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'LeaveGrantPatch' });

export type LeaveGrantPatch = z.output<typeof LeaveGrantPatch>;

export class LeaveGrantModel extends TenantModel {
  static override tableName = 'attendance_leave_grants';
  static override jsonAttributes = ['basis', 'metadata'];
}

export const leaveGrantFacts = factsOf({
  domain: 'attendance',
  entity_type: 'leave_grant',
  computed: computedIn(LeaveGrant),
});

/** The unique index that grants each day of the law once. */
export const STATUTORY_ONCE = 'attendance_leave_grants_statutory_once';

uniqueKey('attendance_leave_grants_external_id_once', {
  table: LeaveGrantModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another grant has this external_id', ja: 'この external_id はほかの付与が使っています' },
});
