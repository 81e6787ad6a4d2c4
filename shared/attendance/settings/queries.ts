import type { Reader } from '../../kernel/reader.ts';
import { type DatedRow, settingsOn, todayBy } from './dated.ts';
import { type DatedFields, defaultPlain, type PlainFields } from './fields.ts';

/** The dated settings of the organization, in the order of their dates. */
export function datedRows({ connection, organization_id }: Reader): Promise<DatedRow[]> {
  return connection.query<DatedRow>(
    `SELECT effective_from, settings FROM attendance_dated_settings WHERE organization_id = $1
      ORDER BY effective_from`,
    [organization_id],
  );
}

/** The settings without a date; the defaults where nobody has changed any. */
export async function plainSettings({ connection, organization_id }: Reader): Promise<PlainFields> {
  const [row] = await connection.query<{ settings: Partial<PlainFields> }>(
    'SELECT settings FROM attendance_settings WHERE organization_id = $1',
    [organization_id],
  );
  return { ...defaultPlain, ...row?.settings };
}

/** The day that it is in the organization, and the settings that hold on it. */
export async function presentSettings(reader: Reader): Promise<{ today: string; settings: DatedFields }> {
  const rows = await datedRows(reader);
  const today = todayBy(rows, reader.now);
  return { today, settings: settingsOn(rows, today) };
}

/** The day that it is in the organization. */
export async function todayOf(reader: Reader): Promise<string> {
  return (await presentSettings(reader)).today;
}
