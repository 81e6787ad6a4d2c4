import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { addFault, day } from '../../kernel/schema.ts';

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

function clock(form: RegExp, example: string) {
  return z
    .string()
    .regex(form, says({ en: 'must be a time as HH:MM', ja: 'は HH:MM 形式の時刻で指定してください' }))
    .meta({ examples: [example] });
}

const hours = {
  start: clock(/^([01]\d|2[0-3]):[0-5]\d$/, '09:00'),
  end: clock(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '18:00').describe(
    'Also `24:00`. Before `start`: on the next date.',
  ),
};

type Hours = { start: string; end: string };

function refuseEmpty({ start, end }: Hours, issues: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  if (start !== end) return;
  addFault(issues, 'end', 'empty_interval', {
    en: 'must not be the time of start',
    ja: 'は start と異なる時刻を指定してください',
  });
}

/** From one time on the clock to another one. */
export const ClockInterval = z
  .strictObject(hours)
  .superRefine(refuseEmpty)
  .meta({ id: 'SchedulerClockInterval' });

/** Hours that recur on days of the week. */
export const WeeklyHours = z
  .strictObject({
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(7)
      .meta({ examples: [['monday', 'tuesday', 'wednesday', 'thursday', 'friday']] }),
    ...hours,
  })
  .superRefine(refuseEmpty)
  .meta({ id: 'SchedulerWeeklyHours' });

export type WeeklyHours = z.output<typeof WeeklyHours>;

/** The hours of a week, which may overlap. */
export const Weekly = z.array(WeeklyHours).max(100).describe('Hours that recur every week.');

/** The hours of one date in the place of the weekly ones. */
export const DateHours = z
  .strictObject({
    date: day().meta({ examples: ['2026-12-29'] }),
    intervals: z.array(ClockInterval).max(50).describe('None: not available on that date.'),
  })
  .meta({ id: 'SchedulerDateHours' });

export type DateHours = z.output<typeof DateHours>;

/** Hours of dates, each date once. */
export const Overrides = z
  .array(DateHours)
  .max(1_000)
  .superRefine((overrides, issues) => {
    const seen = new Set<string>();
    for (const [index, { date }] of overrides.entries()) {
      if (seen.has(date)) {
        issues.addIssue({
          code: 'custom',
          path: [index, 'date'],
          params: { code: 'duplicate' },
          message: says({ en: 'is there more than once', ja: 'が重複しています' }),
        });
      }
      seen.add(date);
    }
  })
  .describe('Dates with hours of their own, each once.');

/** Monday to Friday from 9 to 18: what holds for who has said nothing. */
export const officeHours: readonly WeeklyHours[] = [
  { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], start: '09:00', end: '18:00' },
];
