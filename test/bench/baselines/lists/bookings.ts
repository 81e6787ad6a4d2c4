import { BookingModel, bookingColumns } from '../../../../shared/scheduler/bookings/record.ts';
import { shownBooking } from '../../../../shared/scheduler/bookings/shown.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, type List, pageAndTotal } from './page.ts';

/** Bookings with the names of their hosts. */
export const bookings: List = async (asked) => {
  const { organization_id, now } = asked;
  const [rows, total] = await pageAndTotal(
    BookingModel.query().where({ organization_id }),
    bookingColumns,
    asked,
  );
  const user_ids = [...new Set(rows.flatMap((row) => row.user_ids))];
  const people: Any[] = await database('users').whereIn('id', user_ids).select('id', 'name');
  const named = new Map(people.map((person) => [person.id, person]));
  const reader: Any = { now, actor: { grants: ALL } };
  const items = rows.map((row) => shownBooking(reader, row, (user_id) => named.get(user_id)));
  return { items, total };
};
