import type { Reader } from '../../kernel/reader.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { type CalendarEvent, calendarText, uidOf } from '../icalendar/calendar.ts';
import { placeText } from '../mails/words.ts';
import type { BookingRecord, BookingStatus } from './record.ts';
import { statusAt } from './status.ts';

const STATUSES: Readonly<Record<BookingStatus, CalendarEvent['status']>> = {
  pending: 'TENTATIVE',
  confirmed: 'CONFIRMED',
  completed: 'CONFIRMED',
  no_show: 'CONFIRMED',
  declined: 'CANCELLED',
  expired: 'CANCELLED',
  cancelled: 'CANCELLED',
};

/**
 * A booking as a file for calendars, under the name that its mails give it. It asks nothing of who opens it, and names
 * nobody; `url` is the guest's link, for the guest alone.
 */
export function bookingText(
  { now }: Pick<Reader, 'now'>,
  booking: BookingRecord,
  { base_url, locale, url = null }: { base_url: string; locale: Locale; url?: string | null },
): string {
  return calendarText({
    method: 'PUBLISH',
    events: [
      {
        uid: uidOf(booking.id, base_url),
        sequence: booking.ics_sequence,
        stamped_at: booking.updated_at,
        start: booking.start,
        end: booking.end,
        status: STATUSES[statusAt(booking, now)],
        summary: booking.title,
        description: url,
        location: booking.location && placeText(booking.location, locale),
      },
    ],
  });
}
