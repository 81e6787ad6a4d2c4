import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { timeZone } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

export const dayTypes = ['workday', 'prescribed_holiday', 'legal_holiday'] as const;

/** A time on the clock of the organization: HH:MM. */
export function clockTime() {
  return z
    .string()
    .regex(
      /^([01]\d|2[0-3]):[0-5]\d$/,
      says({ en: 'must be a time as HH:MM', ja: 'は HH:MM 形式の時刻で指定してください' }),
    )
    .meta({ examples: ['09:00'] });
}

const rounded = () => z.enum(['none', 'floor', 'ceil']);

const rounding = {
  unit_minutes: z
    .literal([1, 5, 10, 15, 30])
    .describe('The grid of the local clock.')
    .meta({ examples: [1] }),
  clock_in: rounded(),
  clock_out: rounded(),
  break_start: rounded(),
  break_end: rounded(),
};

/** The settings that change figures: each holds from a date on. */
export const datedFields = {
  time_zone: timeZone().describe('The zone of dates, months and clock times.'),
  day_boundary_time: clockTime()
    .refine((value) => value <= '12:00', {
      params: { code: 'too_large' },
      error: says({ en: 'must be 12:00 or earlier', ja: 'は 12:00 以前で指定してください' }),
    })
    .describe('Until when a first punch of the day belongs to the day before; 00:00 to 12:00.')
    .meta({ examples: ['05:00'] }),
  week_starts_on: z.enum(weekdays),
  closing_day: z
    .union([z.literal('end'), z.int().min(1).max(28)])
    .describe('The last day of a period: `end` of the month, or 1 to 28.')
    .meta({ examples: ['end'] }),
  legal_holiday_weekday: z.enum(weekdays).describe('The weekly holiday of article 35.'),
  prescribed_holiday_weekdays: z
    .array(z.enum(weekdays))
    .max(7)
    .refine((days) => new Set(days).size === days.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must name each day once', ja: 'には同じ曜日を重複して指定できません' }),
    })
    .describe('Other days off; the legal one counts where both are the same.')
    .meta({ examples: [['saturday']] }),
  national_holidays_as: z
    .enum(['prescribed_holiday', 'legal_holiday', 'workday'])
    .describe('What national holidays count as.'),
  weekly_statutory_minutes: z
    .literal([2400, 2640])
    .describe('40 hours, or 44 where the law allows them.')
    .meta({ examples: [2400] }),
  rounding: z.strictObject(rounding),
  monthly_rounding: z.enum(['none', 'half_hour']),
  break_mode: z.enum(['punch', 'auto_schedule', 'auto_statutory']),
  scheduled_basis: z.enum(['amount', 'window']),
  early_clock_in: z.enum(['count', 'ignore_unless_approved']),
};

const DatedObject = z.strictObject(datedFields);

/** What holds at a date, whole. */
export type DatedFields = z.output<typeof DatedObject>;

/** A change of them: only the fields that are sent. */
export const datedChange = {
  ...datedFields,
  rounding: z.strictObject(rounding).partial(),
};

const DatedChange = z.strictObject(datedChange).partial();

export type DatedChange = z.output<typeof DatedChange>;

/** What holds before anything was set. */
export const defaultDated: DatedFields = {
  time_zone: 'Asia/Tokyo',
  day_boundary_time: '05:00',
  week_starts_on: 'sunday',
  closing_day: 'end',
  legal_holiday_weekday: 'sunday',
  prescribed_holiday_weekdays: ['saturday'],
  national_holidays_as: 'prescribed_holiday',
  weekly_statutory_minutes: 2400,
  rounding: { unit_minutes: 1, clock_in: 'none', clock_out: 'none', break_start: 'none', break_end: 'none' },
  monthly_rounding: 'none',
  break_mode: 'punch',
  scheduled_basis: 'amount',
  early_clock_in: 'count',
};

/** The limits of article 36, paragraphs 4 and 5: an agreement may be stricter, never looser. */
const minutes = (most: number) => z.int().min(0).max(most).default(most);

export const Agreement = z
  .strictObject({
    effective_from: attendanceDay().describe(
      'It holds from the first period that begins on or after this day.',
    ),
    year_start_month: z.int().min(1).max(12).default(4).describe('The month that its year begins with.'),
    special_clause: z.boolean().default(false).describe('Whether it has a special clause.'),
    month_limit_minutes: minutes(2_700),
    year_limit_minutes: minutes(21_600),
    special_year_limit_minutes: minutes(43_200),
    special_month_count: z
      .int()
      .min(0)
      .max(6)
      .default(6)
      .describe('Months of a year that may pass the limit of the month.'),
  })
  .meta({ id: 'AttendanceAgreement' });

export type Agreement = z.output<typeof Agreement>;

const leave = {
  auto_grant: z.boolean().describe('Whether statutory leave is granted by itself.'),
  hourly_enabled: z.boolean().describe('Whether leave can be taken by the hour.'),
};

const agreements = z
  .array(Agreement)
  .max(100)
  .describe('The agreements of article 36, replaced whole; none: the limits of the law.');

/** The settings without a date. */
export const plainFields = {
  max_session_hours: z
    .int()
    .min(12)
    .max(48)
    .describe('Hours after which an open session has expired.')
    .meta({ examples: [24] }),
  duplicate_window_seconds: z
    .int()
    .min(0)
    .max(600)
    .describe('Seconds in which a punch sent twice counts once.')
    .meta({ examples: [60] }),
  location: z.enum(['off', 'optional', 'required']).describe('Whether punches carry a place.'),
  allow_self_approval: z.boolean(),
  manager_can_confirm: z.boolean().describe('Whether managers confirm months of their team.'),
  leave: z.strictObject(leave),
  agreements,
};

const PlainObject = z.strictObject(plainFields);

export type PlainFields = z.output<typeof PlainObject>;

export const plainChange = { ...plainFields, leave: z.strictObject(leave).partial() };

const PlainChange = z.strictObject(plainChange).partial();

export type PlainChange = z.output<typeof PlainChange>;

export const defaultPlain: PlainFields = {
  max_session_hours: 24,
  duplicate_window_seconds: 60,
  location: 'off',
  allow_self_approval: false,
  manager_can_confirm: false,
  leave: { auto_grant: true, hourly_enabled: false },
  agreements: [],
};
