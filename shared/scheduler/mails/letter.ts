import { peopleByIds } from '../../platform/access/members/queries.ts';
import type { Letter } from '../../platform/mailer/letter.ts';
import type { Composing, Pointless } from '../../platform/mailer/purpose.ts';
import { bookingLink } from '../bookings/links.ts';
import type { BookingRecord } from '../bookings/record.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import { pointless } from '../pointless-mails.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { addressedBy } from './addressed.ts';
import { answersText } from './answers.ts';
import { invitation } from './invitation.ts';
import { organizationName } from './organization.ts';
import type { Reading } from './times.ts';
import type { Recipient, Told } from './told.ts';
import { type Facts, linesOf, linkWords, policyNotes, wordsOf } from './words.ts';

/** What a mail says: a change as it was told, or that the booking is near. */
export type Said = Omit<Told, 'news'> & { news: Facts['news'] };

/** Somebody to whom a mail about a booking goes. */
type Addressee = { name: string; address: string; reading: Reading; reader: Facts['reader'] };

/**
 * A mail about a booking to one recipient: in the guest's language and zone to guests, in a host's own to hosts. Who booked
 * gets the link, nobody else. Pointless where guest data has been blanked, and to a host who has left.
 */
export async function bookingLetter(
  composing: Composing,
  booking: BookingRecord,
  recipient: Recipient,
  said: Said,
): Promise<Letter | Pointless> {
  const { work, locale, mail_from, base_url, now } = composing;
  const settings = await schedulerSettingsOf(work);
  const addressee = await addresseeOf(composing, booking, recipient, settings.time_format);
  if (!addressee) return { pointless: pointless.nobody };
  const { reader } = addressee;
  const organization = await organizationName(work);
  const ids = [...said.user_ids, ...(said.calendar?.user_ids ?? [])];
  const personOf = await peopleByIds(work, [...new Set(ids)]);
  const isHost = reader === 'host';
  const facts: Facts = {
    ...said,
    reader,
    reading: addressee.reading,
    name: addressee.name,
    organization,
    title: booking.title,
    span: said,
    hosts: said.user_ids.map((user_id) => personOf(user_id).name),
    location: booking.location,
    reason: said.news === 'cancelled' || said.news === 'declined' ? booking.cancel_reason : null,
    booked_by: reader === 'other_guest' ? booking.guest.name : null,
    guest: isHost ? { ...booking.guest, additional: booking.additional_guests } : null,
    answers: isHost ? await answersOf(composing, booking) : [],
  };
  const url = reader === 'guest' ? await urlOf(composing, booking) : null;
  const [first] = said.user_ids;
  return {
    from_name: organization,
    ...(first !== undefined && { reply_to: personOf(first).email }),
    to: [{ name: addressee.name, address: addressee.address }],
    locale,
    ...wordsOf(facts),
    ...(url !== null && {
      action: { label: linkWords(locale), url, in_brackets: true },
      notes: policyNotes(settings.cancel_policy, said.news, addressee.reading.locale),
    }),
    ...(said.calendar && {
      calendar: await invitation(said.calendar, {
        record_id: booking.id,
        base_url,
        mail_from,
        organization,
        stamped_at: now.toISOString(),
        summary: isHost ? `${booking.title} (${booking.guest.name})` : booking.title,
        description: url === null ? linesOf(facts) : `${linesOf(facts)}\n${url}`,
        location: booking.location,
        locale,
        attendees: [
          ...said.calendar.user_ids.map(personOf).map(({ name, email }) => ({ name, address: email })),
          { name: booking.guest.name, address: booking.guest.email },
          ...booking.additional_guests.map((address) => ({ name: address, address })),
        ],
      }),
    }),
  };
}

async function addresseeOf(
  { work }: Composing,
  { guest, additional_guests }: BookingRecord,
  recipient: Recipient,
  time_format: Reading['time_format'],
): Promise<Addressee | null> {
  if (recipient.startsWith('usr_')) {
    const host = (await addressedBy(work, [recipient])).get(recipient);
    if (!host || guest.email === '') return null;
    const { name, email, locale, time_zone } = host;
    return { name, address: email, reading: { locale, time_zone, time_format }, reader: 'host' };
  }
  const { locale, time_zone } = guest;
  const reading = { locale, time_zone, time_format };
  if (recipient === 'guest') {
    const { name, email } = guest;
    return email === '' ? null : { name, address: email, reading, reader: 'guest' };
  }
  const address = additional_guests[Number(recipient.slice('additional_'.length))];
  return address === undefined ? null : { name: address, address, reading, reader: 'other_guest' };
}

async function urlOf({ connection, organization_id, now, base_url }: Composing, booking: BookingRecord) {
  const { id, end } = booking;
  const { guest_url } = await bookingLink({ connection, now, base_url }, { organization_id, id, end });
  return guest_url;
}

async function answersOf({ work, locale }: Composing, { event_type_id, answers }: BookingRecord) {
  if (event_type_id === null) return [];
  const { questions } = await eventTypeOfBooking(work, event_type_id);
  return answersText(questions, answers, locale);
}
