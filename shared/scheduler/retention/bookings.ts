import type { Work } from '../../kernel/work.ts';
import { outdateExports } from '../../platform/exports/outdated.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { BookingModel } from '../bookings/record.ts';
import { blankEvents, blankGuest, blankLocation, blankMailErrors, forgetReplies, type Kept } from './kept.ts';

/** Bookings that one transaction blanks. */
const BATCH = 200;

type Ended = Kept & { title: string };

/** A blank one has no address any more. Times alone are left, so that figures stay as they were. */
const ENDED = `SELECT id, title, created_at, updated_at FROM scheduler_bookings
  WHERE organization_id = $1 AND "end" <= $2 AND guest_email_key <> ''
  ORDER BY "start", id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`;

/** Blanks some bookings that had ended at a time, and takes their exports away. Answers how many; none: all are. */
export async function blankBookings(work: Work, before: Date): Promise<number> {
  const { connection, organization_id } = work;
  const ended = await connection.query<Ended>(ENDED, [organization_id, before.toISOString()]);
  if (ended.length === 0) return 0;
  const ids = ended.map(({ id }) => id);
  await outdateExports(work, [{ exporter: 'scheduler.bookings' }]);
  work.run(
    `UPDATE scheduler_bookings SET guest = ${blankGuest('guest')}, guest_email_key = '', additional_guests = '[]',
        answers = '{}', location = ${blankLocation('location')}, cancel_reason = NULL, form_key = NULL, updated_at = $3
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [organization_id, ids, work.now.toISOString()],
  );
  work.updateAll(
    BookingModel,
    ended.map(({ id, title }) => {
      const search_text = searchText([title]);
      return { id, search_text, search_grams: gramsOf(search_text) };
    }),
  );
  blankEvents(work, 'scheduler.booking.', ended);
  blankMailErrors(work, ids);
  forgetReplies(work, 'booking', ids);
  return ended.length;
}
