import { timeZoneOf } from '../../invoicing/settings/queries.ts';
import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';

/** The day that it is in the organization: one for all that a transaction does. */
export async function todayOf(reader: Reader): Promise<string> {
  const known = days.get(reader) ?? todayIn(await timeZoneOf(reader), reader.now);
  days.set(reader, known);
  return known;
}

const days = new WeakMap<Reader, string>();
