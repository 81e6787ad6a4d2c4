import type { Reader } from '../../kernel/reader.ts';
import { type DatedRow, settingsOn } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';
import { nationalByDate } from './national.ts';

/** A holiday by name: that of the company overrules the national one of its date. */
export type NamedHoliday = {
  date: string;
  kind: 'national' | 'company';
  name: string;
  name_en: string | null;
  counts_as: 'prescribed_holiday' | 'legal_holiday' | 'workday';
};

/**
 * The holidays of the organization between two dates, one a date, in their order. Those that count as workdays are among
 * them: they are holidays by name alone.
 */
export async function holidaysBetween(reader: Reader, from: string, to: string): Promise<NamedHoliday[]> {
  const [company, settings] = await Promise.all([companyHolidays(reader, from, to), datedRows(reader)]);
  return namedHolidays(settings, company, from, to);
}

/** The same by the dated settings, in the order of their dates, and the holidays that the company added. */
export function namedHolidays(
  settings: readonly DatedRow[],
  company: readonly Omit<NamedHoliday, 'kind'>[],
  from: string,
  to: string,
): NamedHoliday[] {
  const byDate = new Map<string, NamedHoliday>();
  for (const { date, name, name_en } of nationalByDate.values()) {
    if (date < from || date > to) continue;
    const counts_as = settingsOn(settings, date).national_holidays_as;
    byDate.set(date, { date, kind: 'national', name, name_en, counts_as });
  }
  for (const row of company) byDate.set(row.date, { ...row, kind: 'company' });
  return [...byDate.values()].sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** The holidays that the company added between two dates, in their order. */
export function companyHolidays(
  { connection, organization_id }: Reader,
  from: string,
  to: string,
): Promise<Omit<NamedHoliday, 'kind'>[]> {
  return connection.query<Omit<NamedHoliday, 'kind'>>(
    `SELECT date, name, name_en, counts_as FROM attendance_holidays
      WHERE organization_id = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
    [organization_id, from, to],
  );
}
