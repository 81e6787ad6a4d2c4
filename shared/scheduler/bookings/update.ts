import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { bookingFacts } from './changes.ts';
import type { BookingPatch } from './input.ts';
import { BookingModel, type BookingRecord } from './record.ts';
import { lockBooking } from './rows.ts';
import { shown } from './shown.ts';

/** Changes what a client's own systems keep with a booking. Errors: `not_found`, `precondition_failed`, `already_exists`. */
export async function updateBooking(work: Work, id: string, patch: BookingPatch): Promise<BookingRecord> {
  const row = await lockBooking(work, id);
  work.precondition(row);
  const external_id = patch.external_id === undefined ? row.external_id : patch.external_id;
  const metadata = metadataAfter(row.metadata, patch.metadata);
  const changed = { ...row, external_id, metadata };
  const [before, after] = [await shown(work, row), await shown(work, changed)];
  if (work.isSame(bookingFacts.updated, before, after)) return row;
  const updated_at = work.touch(row);
  work.update(BookingModel, id, { external_id, metadata, updated_at });
  const told = { ...after, updated_at };
  work.record(bookingFacts.updated, { before, after: told });
  return { ...changed, updated_at };
}
