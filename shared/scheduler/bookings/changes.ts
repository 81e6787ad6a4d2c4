import { type Fact, factsOf } from '../../kernel/fact.ts';
import type { Actor } from '../../kernel/reader.ts';
import { computedIn } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { wantEntries } from '../calendars/entries/want.ts';
import { queueBookingMails } from '../mails/changes.ts';
import { keepReminders } from '../reminders/rows.ts';
import type { BookingChange, BookingHappening } from './change.ts';
import { Booking, type BookingRecord } from './record.ts';
import { namesOf, shownBooking } from './shown.ts';

export type { BookingChange, BookingHappening } from './change.ts';

/** What is told of bookings; what happens to one has a fact of its own below. */
export const bookingFacts = factsOf({
  domain: 'scheduler',
  entity_type: 'booking',
  computed: computedIn(Booking),
  masked: ['guest', 'additional_guests', 'answers', 'location', 'cancel_reason'],
  events: { created: 'scheduler.booking.created' },
});

const happenings: Readonly<Record<BookingHappening, Fact>> = {
  created: bookingFacts.created,
  confirmed: { ...bookingFacts.updated, event: 'scheduler.booking.confirmed' },
  declined: { ...bookingFacts.updated, event: 'scheduler.booking.declined' },
  expired: { ...bookingFacts.updated, event: 'scheduler.booking.expired' },
  rescheduled: { ...bookingFacts.updated, event: 'scheduler.booking.rescheduled' },
  cancelled: { ...bookingFacts.updated, event: 'scheduler.booking.cancelled' },
  no_show: { ...bookingFacts.updated, event: 'scheduler.booking.no_show' },
  no_show_undone: bookingFacts.updated,
};

/**
 * What follows from changes of bookings whose rows were written: every change goes through here, so that none is left without
 * its event, audit entry, mails and reminders. What a guest does is the guest's in the log, who is named by the booking.
 */
export async function bookingsChanged(work: Work, changes: readonly BookingChange[]): Promise<void> {
  if (changes.length === 0) return;
  const named = await namesOf(
    work,
    changes.flatMap(({ before, after }) => (before ? [before, after] : [after])),
  );
  for (const { action, before, after } of changes) {
    const acting = work.actor.type === 'guest' ? asGuest(work, after.id) : work;
    acting.record(happenings[action], {
      before: before && shownAsStored(work, before, named),
      after: shownAsStored(work, after, named),
    });
  }
  await wantEntries(work, changes);
  await queueBookingMails(work, changes);
  await keepReminders(work, changes);
}

/** The same for one change. */
export function bookingChanged(work: Work, change: BookingChange): Promise<void> {
  return bookingsChanged(work, [change]);
}

/** A booking with the status that is stored: what time makes of it is no change. */
function shownAsStored(work: Work, row: BookingRecord, named: Parameters<typeof shownBooking>[2]): Booking {
  return { ...shownBooking(work, row, named), status: row.status };
}

function asGuest(work: Work, id: string): Work {
  const actor: Actor = { ...work.actor, id };
  return work.actor.id === id ? work : work.onBehalfOf(actor, work.request_id);
}
