import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { boundLockWaits } from '../occupancies/hosts.ts';
import { type BookingRecord, bookingColumns } from './record.ts';

/** Columns in quotes: `start` and `end` are words of SQL. */
export function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

const BY_ID = `SELECT ${quoted(bookingColumns)} FROM scheduler_bookings WHERE organization_id = $1 AND id = $2`;

/** A booking as it is stored; undefined for none. */
export async function findBooking(
  { connection, organization_id }: Reader,
  id: string,
): Promise<BookingRecord | undefined> {
  const [row] = await connection.query<BookingRecord>(BY_ID, [organization_id, id]);
  return row;
}

/** A booking as it is stored. Errors: `not_found`. */
export async function bookingRow(reader: Reader, id: string): Promise<BookingRecord> {
  const row = await findBooking(reader, id);
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the work commits; it is the first lock of its work. Errors: `not_found`, `unavailable`. */
export async function lockBooking(work: Work, id: string): Promise<BookingRecord> {
  boundLockWaits(work);
  const [row] = await work.connection.query<BookingRecord>(`${BY_ID} FOR NO KEY UPDATE`, [
    work.organization_id,
    id,
  ]);
  if (!row) throw notFound();
  return row;
}

/** The booking that was made with the key of a form, of whatever event type; undefined for none. */
export async function findBookingOfForm(
  { connection, organization_id }: Reader,
  form_key: string,
): Promise<BookingRecord | undefined> {
  const [row] = await connection.query<BookingRecord>(
    `SELECT ${quoted(bookingColumns)} FROM scheduler_bookings
      WHERE organization_id = $1 AND form_key = $2`,
    [organization_id, form_key],
  );
  return row;
}
