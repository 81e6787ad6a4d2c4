import type { CalendarPart, Locale } from '../../platform/mailer/letter.ts';
import { addressOfSender } from '../../platform/mailer/message.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { calendarText, type Participant, uidOf } from '../icalendar/calendar.ts';
import type { Told } from './told.ts';
import { placeText } from './words.ts';

/** What an invitation says beside what calendars were told. */
type Invited = {
  /** The booking or session that it is about. */
  record_id: string;
  base_url: string;
  mail_from: string;
  organization: string;
  stamped_at: string;
  summary: string;
  description: string;
  location: BookedLocation | null;
  locale: Locale;
  attendees: readonly Participant[];
};

/** The part of a mail that a calendar reads: the organization invites from the address that its mails come from. */
export async function invitation(
  { method, sequence, start, end }: NonNullable<Told['calendar']>,
  invited: Invited,
): Promise<CalendarPart> {
  const { record_id, base_url, mail_from, organization, location, locale, attendees, ...said } = invited;
  const organizer = { name: organization, address: await addressOfSender(mail_from) };
  const text = calendarText({
    method,
    events: [
      {
        uid: uidOf(record_id, base_url),
        sequence,
        start,
        end,
        status: method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED',
        location: location && placeText(location, locale),
        invites: { organizer, attendees },
        ...said,
      },
    ],
  });
  return { method, text };
}
