import { countOldest, type Measure } from '../platform/operators/measure.ts';
import { calendarMeasures } from './calendars/measures.ts';

/** A time that nothing waits for, since sweeps look every 15 seconds. */
const BEHIND = "< now() - interval '2 minutes'";

/** What operators see of the scheduler. */
export const schedulerMeasures: readonly Measure[] = [
  {
    name: 'scheduler_bookings_pending',
    title: 'Bookings that wait for confirmation',
    help: 'Bookings that nobody has confirmed or declined',
    unit: 'count',
    age: 'its end',
    query: countOldest('scheduler_bookings', "status = 'pending'", 'pending_expires_at'),
  },
  {
    name: 'scheduler_bookings_overdue',
    title: 'Bookings whose expiry is overdue',
    help: 'Bookings that nobody confirmed in time and that no sweep has ended',
    unit: 'count',
    age: 'its time',
    query: countOldest(
      'scheduler_bookings',
      `status = 'pending' AND pending_expires_at ${BEHIND}`,
      'pending_expires_at',
    ),
  },
  {
    name: 'scheduler_proposals_overdue',
    title: 'Proposals whose expiry is overdue',
    help: 'Proposals that nobody answered in time and that no sweep has ended',
    unit: 'count',
    age: 'its time',
    query: countOldest('scheduler_proposals', `status = 'open' AND expires_at ${BEHIND}`, 'expires_at'),
  },
  {
    name: 'scheduler_reminders_behind',
    title: 'Reminders behind',
    help: 'Reminders that should have been sent more than two minutes ago',
    unit: 'count',
    age: 'its time',
    query: countOldest('scheduler_reminders', `mail_id IS NULL AND due_at ${BEHIND}`, 'due_at'),
  },
  {
    name: 'scheduler_calendar_writes_pending',
    title: 'Entries to be written',
    help: 'Entries of bookings that are not yet in the calendars of their hosts',
    unit: 'count',
    age: 'its change',
    query: countOldest('scheduler_calendar_entries', "status = 'pending'", 'updated_at'),
  },
  ...calendarMeasures,
];
