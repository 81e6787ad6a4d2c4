import { z } from 'zod';
import { dayOf, type Zone, zoneOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { day, id } from '../../kernel/schema.ts';
import { monthNumber, Periods, shown } from '../days/periods.ts';
import type { Period } from '../days/types.ts';
import { type DatedRow, settingsOn } from '../settings/dated.ts';
import { datedRows, plainSettings } from '../settings/queries.ts';
import { ruleSettings } from '../settings/rules.ts';

export const timeFormats = ['minutes', 'hhmm'] as const;

/** What an export is asked for, as its job keeps it: a month, or the days from one to another; of whom; how times are written. */
export const AskedExport = z.strictObject({
  month: z.string().optional(),
  from: day().optional(),
  to: day().optional(),
  member_id: id('mem').optional(),
  department_id: id('dept').optional(),
  time_format: z.enum(timeFormats).default('minutes'),
  language: z.enum(['ja', 'en']),
});

export type AskedExport = z.output<typeof AskedExport>;

/** The days of an export, and the months that they lie in. */
export type Span = {
  from: string;
  to: string;
  months: readonly Period[];
  /** The time zone of a date. */
  zoneOn: (date: string) => Zone;
};

/** The days that are asked for: all of a month's period, or those from one to another, which may begin and end within periods. */
export async function spanOf(reader: Reader, { month, from, to }: AskedExport): Promise<Span> {
  const [dated, plain] = await Promise.all([datedRows(reader), plainSettings(reader)]);
  const periods = new Periods(ruleSettings(dated, plain));
  const zoneOn = zoneBy(dated);
  if (month !== undefined) {
    const period = shown(periods.ofMonth(monthNumber(month)));
    return { from: period.start, to: period.end, months: [period], zoneOn };
  }
  const [first, last] = [periods.ofDay(dayOf(from!)).month, periods.ofDay(dayOf(to!)).month];
  const months = Array.from({ length: last - first + 1 }, (_, index) =>
    shown(periods.ofMonth(first + index)),
  );
  return { from: from!, to: to!, months, zoneOn };
}

function zoneBy(dated: readonly DatedRow[]): Span['zoneOn'] {
  return (date) => zoneOf(settingsOn(dated, date).time_zone);
}
