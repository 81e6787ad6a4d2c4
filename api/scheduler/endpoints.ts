import type { Endpoint } from '../http/endpoint.ts';
import { availability } from './availability.ts';
import { b } from './b.ts';
import { book } from './book.ts';
import { bookings } from './bookings.ts';
import { calendarEvents } from './calendar-events.ts';
import { calendars } from './calendars.ts';
import { calendarsByAddress } from './calendars-by-address.ts';
import { dashboard } from './dashboard.ts';
import { eventTypes } from './event-types.ts';
import { feeds } from './feeds.ts';
import { hold } from './hold.ts';
import { ics } from './ics.ts';
import { p } from './p.ts';
import { pr } from './pr.ts';
import { proposals } from './proposals.ts';
import { settings } from './settings.ts';
import { slots } from './slots.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [
  ...eventTypes,
  ...availability,
  ...slots,
  ...bookings,
  ...calendars,
  ...calendarsByAddress,
  ...p,
  ...hold,
  ...book,
  ...b,
  ...ics,
  ...feeds,
  ...calendarEvents,
  ...proposals,
  ...pr,
  ...dashboard,
  ...settings,
];
