import { daysOff } from '../../attendance/days-off.ts';
import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type IsHoliday, lastDateAsked } from './dates.ts';

/** The longest time between two reminders, in days. */
const MOST_DAYS = 30;

/** The holidays of the organization that may move a reminder which follows from now. Those that count as workdays are none. */
export async function holidaysFromNow(reader: Reader): Promise<IsHoliday> {
  const from = daysLater(reader.now.toISOString().slice(0, 10), -1);
  const dates = { from, to: lastDateAsked(reader.now, MOST_DAYS) };
  const { holidays } = await daysOff(reader, { user_ids: [], holidays: dates, leave: { from, to: from } });
  const off = new Set(holidays.filter(({ counts_as }) => counts_as !== 'workday').map(({ date }) => date));
  return (date) => off.has(date);
}
