import holidayJp from '@holiday-jp/holiday_jp';
import { TypeID } from 'typeid-js';

/** A national holiday: a date with its names. */
export type NationalHoliday = { id: string; date: string; name: string; name_en: string };

/** The first year that is shown. */
const FIRST_YEAR = 2015;

/**
 * The last year whose days are certain. Those of the equinoxes, and with them the holidays between others, are published
 * in the official gazette on the first of February of the year before; the data knows later years as they are expected.
 */
const LAST_GAZETTED_YEAR = 2027;

/** Where the data is from. */
export const NATIONAL_SOURCE = `holiday_jp ${holidayJp.VERSION}`;

/** When all of them are said to be made: before whatever an organization makes itself. */
export const NATIONAL_CREATED_AT = '2015-01-01T00:00:00.000Z';

/** The holidays of the Act on National Holidays, in the order of their dates. */
export const nationalHolidays: readonly NationalHoliday[] = Object.values(holidayJp.holidays)
  .filter(({ date }) => {
    const year = Number(date.slice(0, 4));
    return year >= FIRST_YEAR && year <= LAST_GAZETTED_YEAR;
  })
  .map(({ date, name, name_en }) => ({ id: idOf(date), date, name, name_en }));

/** By date. */
export const nationalByDate: ReadonlyMap<string, NationalHoliday> = new Map(
  nationalHolidays.map((holiday) => [holiday.date, holiday]),
);

/** By ID. */
export const nationalById: ReadonlyMap<string, NationalHoliday> = new Map(
  nationalHolidays.map((holiday) => [holiday.id, holiday]),
);

/**
 * The ID of a national holiday, the same for every organization and release: a UUIDv7 of the time when all are said to be
 * made, with the date in place of what is random.
 */
function idOf(date: string): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Date.parse(NATIONAL_CREATED_AT), 0, 6);
  bytes.writeUInt16BE(0x7000, 6);
  bytes.writeUInt32BE(0x80000000, 8);
  bytes.writeUInt32BE(Number(date.replaceAll('-', '')), 12);
  return TypeID.fromUUIDBytes('hol', bytes).toString();
}
