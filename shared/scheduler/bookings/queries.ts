import type { Knex } from 'knex';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import {
  type Booking,
  BookingModel,
  type BookingRecord,
  type BookingStatus,
  bookingColumns,
  bookingKind,
  emailKey,
  type GuestBooking,
} from './record.ts';
import { bookingRow } from './rows.ts';
import { shown, shownBookings, shownToGuest } from './shown.ts';
import { NO_TYPE } from './transitions.ts';

/** What lists of bookings are narrowed by. Starts lie from `start_from` to before `start_to`. */
export type BookingFilters = LookUps & {
  status?: readonly BookingStatus[];
  event_type_id?: string;
  user_id?: string;
  guest_email?: string;
  start_from?: string;
  start_to?: string;
  search?: string;
};

/** A booking. Errors: `not_found`. */
export async function bookingById(reader: Reader, id: string): Promise<Booking> {
  return shown(reader, await bookingRow(reader, id));
}

/** A booking as its guest sees it. Errors: `not_found`. */
export async function bookingForGuest(reader: Reader, id: string): Promise<GuestBooking> {
  return guestView(reader, await bookingRow(reader, id));
}

/** The same of a row that was read or written. */
export async function guestView(reader: Reader, row: BookingRecord): Promise<GuestBooking> {
  const cutoffs = row.event_type_id === null ? NO_TYPE : await eventTypeOfBooking(reader, row.event_type_id);
  return shownToGuest(reader, row, cutoffs);
}

/** A window of the bookings that the filters leave. */
export async function bookingPage(
  reader: Reader,
  filters: BookingFilters,
  window: Window,
): Promise<Page<Booking>> {
  const page = await pageOf<BookingRecord>(reader, bookingList(reader, filters, window));
  return { ...page, rows: await shownBookings(reader, page.rows) };
}

/** The query of a list of bookings. */
export function bookingList(reader: Reader, filters: BookingFilters, window: Window): ListQuery {
  const { status, event_type_id, user_id, guest_email, start_from, start_to, search, ...asked } = filters;
  const query = BookingModel.table(reader);
  if (status !== undefined) withStatuses(query, status, reader.now.toISOString());
  if (event_type_id !== undefined) query.where(`${TABLE}.event_type_id`, event_type_id);
  if (guest_email !== undefined) query.where(`${TABLE}.guest_email_key`, emailKey(guest_email));
  if (start_from !== undefined) query.where(`${TABLE}.start`, '>=', start_from);
  if (start_to !== undefined) query.where(`${TABLE}.start`, '<', start_to);
  if (user_id !== undefined) {
    const hosted = reader.connection.from('scheduler_booking_hosts').select('booking_id');
    hosted.where({ organization_id: reader.organization_id, user_id });
    if (start_from !== undefined) hosted.where('start', '>=', start_from);
    if (start_to !== undefined) hosted.where('start', '<', start_to);
    query.whereIn(`${TABLE}.id`, hosted);
  }
  return {
    query,
    table: TABLE,
    columns: bookingColumns,
    prefix: 'book',
    sorts: { start: 'start' },
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: TABLE },
    look_ups: { kind: bookingKind, asked },
    search: search === undefined ? null : searchTerm(search),
  };
}

const TABLE = BookingModel.tableName;

/** Leaves bookings with one of the statuses that they have at a time: `completed` and `expired` come by the clock. */
function withStatuses(query: Knex.QueryBuilder, statuses: readonly BookingStatus[], now: string): void {
  query.where((either) => {
    for (const status of new Set(statuses)) {
      either.orWhere((one) => {
        if (status === 'completed')
          one.where(`${TABLE}.status`, 'confirmed').where(`${TABLE}.end`, '<=', now);
        else if (status === 'confirmed') one.where(`${TABLE}.status`, status).where(`${TABLE}.end`, '>', now);
        else if (status === 'pending')
          one.where(`${TABLE}.status`, status).where(`${TABLE}.pending_expires_at`, '>', now);
        else if (status === 'expired') {
          one.where(`${TABLE}.status`, status).orWhere((overdue) => {
            overdue.where(`${TABLE}.status`, 'pending').where(`${TABLE}.pending_expires_at`, '<=', now);
          });
        } else one.where(`${TABLE}.status`, status);
      });
    }
  });
}
