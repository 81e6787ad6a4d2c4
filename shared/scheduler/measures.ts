import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** A time that nothing waits for, since sweeps look every 15 seconds and calendars are started each minute. */
const BEHIND = "< now() - interval '2 minutes'";

/** Queries for each state of connections that wants a look; `updated_at` is when the state began. */
const connections = (status: string) =>
  countOldest('scheduler_connections', `status = '${status}'`, 'updated_at');

/** Queries for each state of entries in calendars elsewhere. */
const entries = (status: string) =>
  countOldest('scheduler_calendar_entries', `status = '${status}'`, 'updated_at');

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
    name: 'scheduler_connections_active',
    title: 'Calendars connected',
    help: 'Connections to calendars elsewhere that work',
    unit: 'count',
    query: connections('active'),
  },
  {
    name: 'scheduler_connections_reauth_required',
    title: 'Connections to be renewed',
    help: 'Connections to calendars elsewhere whose owners have to connect again',
    unit: 'count',
    age: 'its end',
    query: connections('reauth_required'),
  },
  {
    name: 'scheduler_connections_failing',
    title: 'Connections that fail',
    help: 'Connections to calendars elsewhere that cannot be read',
    unit: 'count',
    age: 'its failure',
    query: connections('error'),
  },
  {
    name: 'scheduler_calendars_behind',
    title: 'Calendars behind',
    help: 'Calendars elsewhere that should have been read more than two minutes ago',
    unit: 'count',
    age: 'its time',
    query: countOldest('scheduler_calendars', `next_sync_at ${BEHIND}`, 'next_sync_at'),
  },
  {
    name: 'scheduler_calendar_writes_pending',
    title: 'Entries to be written',
    help: 'Entries of bookings that are not yet in the calendars of their hosts',
    unit: 'count',
    age: 'its change',
    query: entries('pending'),
  },
  {
    name: 'scheduler_calendar_writes_failed',
    title: 'Entries that failed',
    help: 'Entries of bookings that could not be written into the calendars of their hosts',
    unit: 'count',
    age: 'its failure',
    query: entries('failed'),
  },
];
