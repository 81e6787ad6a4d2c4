import assert from 'node:assert/strict';
import type { Workplace } from './attendance.ts';
import { until } from './until.ts';
import { formWith } from './uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** Asks for an import of days and waits for its end; answers it as it is then. */
export async function importedDays(
  place: Workplace,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<Shown> {
  const reply = await place.post('/attendance/imports', formWith(content, fields));
  assert.equal(reply.status, 202, reply.text);
  return endOfDays(place, reply.body.import.id);
}

/** The import once it is over, or its revert is. */
export function endOfDays(place: Workplace, id: string): Promise<Shown> {
  return until(
    'the import is over',
    async () => {
      const shown = (await place.get(`/attendance/imports/${id}`)).body.import;
      return shown.finished_at !== null && shown.status !== 'reverting' && shown;
    },
    120_000,
  );
}

/** Undoes an import; answers it as it is then. */
export async function revertedDays(place: Workplace, id: string): Promise<Shown> {
  const reply = await place.post(`/attendance/imports/${id}/revert`);
  assert.equal(reply.status, 202, reply.text);
  return endOfDays(place, id);
}

/** The rows of the report of errors: row, code and column. */
export async function dayFaultsOf(
  place: Workplace,
  id: string,
): Promise<[row: number, code: string, column: string | null][]> {
  const reply = await place.get(`/attendance/imports/${id}/errors?limit=200`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items.map(({ row, code, column }: Shown) => [row, code, column]);
}

/** The sessions of a member's date, as clock times of Tokyo: `09:00-18:00 (12:00-13:00)`. */
export async function sessionsOn(place: Workplace, member_id: string, date: string): Promise<string[]> {
  const { record } = await place.done('GET', `/records/${member_id}/${date}`);
  return record.sessions.map(({ clock_in_at, clock_out_at, breaks }: Shown) =>
    [
      `${clockOf(clock_in_at)}-${clockOf(clock_out_at)}`,
      ...breaks.map(({ start_at, end_at }: Shown) => `(${clockOf(start_at)}-${clockOf(end_at)})`),
    ].join(' '),
  );
}

function clockOf(instant: string | null): string {
  if (instant === null) return '';
  return new Date(Date.parse(instant) + 9 * 3_600_000).toISOString().slice(11, 16);
}
