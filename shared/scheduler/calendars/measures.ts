import { countOldest, type Measure, MOST_COUNTED } from '../../platform/operators/measure.ts';

/** Those of connections that work which have not been read for an hour: four times as long as it takes. */
const BEHIND = `SELECT count(*)::int AS value, min(since) AS oldest_at
  FROM (SELECT organization_id, connection_id, next_sync_at AS since FROM scheduler_calendars
         WHERE next_sync_at < now() - interval '1 hour' ORDER BY next_sync_at LIMIT ${MOST_COUNTED}) AS due
  JOIN scheduler_connections AS connection
    ON connection.organization_id = due.organization_id AND connection.id = due.connection_id
   AND connection.status = 'active'`;

const failing = (status: 'reauth_required' | 'error', title: string, help: string): Measure => ({
  name: `scheduler_calendars_${status}`,
  title,
  help,
  unit: 'count',
  age: 'its last change',
  query: countOldest('scheduler_connections', `status = '${status}'`, 'updated_at'),
});

/** What operators see of calendars elsewhere. */
export const calendarMeasures: readonly Measure[] = [
  {
    name: 'scheduler_calendars_active',
    title: 'Calendars that are connected',
    help: 'Connections to calendars elsewhere that work',
    unit: 'count',
    query: `SELECT count(*)::int AS value
      FROM (SELECT FROM scheduler_connections WHERE status = 'active' LIMIT ${MOST_COUNTED}) AS active`,
  },
  failing(
    'reauth_required',
    'Calendars that their owners have to connect again',
    'Connections whose access was taken away, or whose secret no key of this process opens',
  ),
  failing(
    'error',
    'Calendars that cannot be read',
    'Connections whose calendars are refused or not understood',
  ),
  {
    name: 'scheduler_calendars_behind',
    title: 'Calendars that were not read for an hour',
    help: 'Calendars of working connections whose reading is overdue by more than an hour',
    unit: 'count',
    age: 'the time of its reading',
    query: BEHIND,
  },
  {
    name: 'scheduler_calendar_entries_failed',
    title: 'Bookings that could not be written into calendars',
    help: 'Entries of bookings in calendars elsewhere that failed, in the last seven days',
    unit: 'count',
    age: 'its end',
    query: countOldest(
      'scheduler_calendar_entries',
      "status = 'failed' AND updated_at > now() - interval '7 days'",
      'updated_at',
    ),
  },
];
