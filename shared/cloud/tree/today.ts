import { timeZoneOf } from '../../invoicing/settings/queries.ts';
import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';

/** The day that it is in the organization. */
export async function todayOf(reader: Reader): Promise<string> {
  return todayIn(await timeZoneOf(reader), reader.now);
}
