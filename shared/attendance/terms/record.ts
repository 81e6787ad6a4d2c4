import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { DecimalSource, day, id, timestamp } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';

export const workSystems = [
  'fixed',
  'shift',
  'flexible',
  'discretionary',
  'variable_monthly',
  'exempt',
] as const;

export type WorkSystem = (typeof workSystems)[number];

const shown = {
  work_system: z.enum(workSystems).meta({ examples: ['fixed'] }),
  schedule_id: id('wsch').nullable().describe('null: the default schedule.'),
  weekly_days: z
    .int()
    .min(0)
    .max(7)
    .nullable()
    .describe('Days of a week; null: `annual_days` counts.')
    .meta({ examples: [5] }),
  weekly_hours: z
    .number()
    .nullable()
    .describe('Hours of a week.')
    .meta({ examples: [40] }),
  annual_days: z
    .int()
    .min(0)
    .max(366)
    .nullable()
    .describe('Days of a year, for those who have no fixed days of a week.')
    .meta({ examples: [null] }),
  deemed_minutes: z
    .int()
    .min(1)
    .max(1_440)
    .nullable()
    .describe('What a day counts as, for `discretionary`.')
    .meta({ examples: [null] }),
  flexible_limit: z
    .enum(['calendar', 'workdays'])
    .describe('What the limit of flexible hours follows from.')
    .meta({ examples: ['calendar'] }),
};

/** Terms of a member from a date on, as the API shows them. */
export const Terms = z
  .strictObject({
    id: id('term'),
    object: z.literal('attendance.terms'),
    member_id: id('mem'),
    effective_from: day(),
    ...shown,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceTerms' });

export type Terms = z.output<typeof Terms>;

/** The terms that hold today; without ID and date where no row has begun. */
export const PresentTerms = z
  .strictObject({
    id: id('term').nullable(),
    effective_from: day().nullable(),
    ...shown,
  })
  .meta({ id: 'PresentAttendanceTerms' });

export type PresentTerms = z.output<typeof PresentTerms>;

/** Hours with at most two decimals; they become a number, which holds hundredths of up to 168 exactly enough to compare. */
function weeklyHours() {
  return z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => (value instanceof DecimalSource ? value.text : String(value)))
    .refine((text) => /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) <= 168, {
      params: { code: 'invalid_value' },
      error: says({
        en: 'must be hours from 0 to 168 with at most two decimals',
        ja: 'は0〜168の数値（小数第2位まで）で指定してください',
      }),
    })
    .transform(Number)
    .meta({ jsonSchema: { type: 'number', minimum: 0, maximum: 168, multipleOf: 0.01 }, examples: [40] });
}

export const TermsInput = z
  .strictObject({
    effective_from: attendanceDay(),
    work_system: shown.work_system.default('fixed'),
    schedule_id: shown.schedule_id.default(null),
    weekly_days: shown.weekly_days.default(5),
    weekly_hours: weeklyHours().nullable().default(40),
    annual_days: shown.annual_days.default(null),
    deemed_minutes: shown.deemed_minutes.default(null),
    flexible_limit: shown.flexible_limit.default('calendar'),
  })
  .meta({ id: 'AttendanceTermsInput' });

export type TermsInput = z.output<typeof TermsInput>;

/** What holds before the first row. */
export const defaultTerms: Omit<PresentTerms, 'id' | 'effective_from'> = {
  work_system: 'fixed',
  schedule_id: null,
  weekly_days: 5,
  weekly_hours: 40,
  annual_days: null,
  deemed_minutes: null,
  flexible_limit: 'calendar',
};

export class TermsModel extends TenantModel {
  static override tableName = 'attendance_terms';
}

export const termsFacts = factsOf({ domain: 'attendance', entity_type: 'terms' });
