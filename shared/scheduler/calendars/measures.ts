import type { Text } from '../../kernel/language.ts';
import { countOldest, type Measure, MOST_COUNTED } from '../../platform/operators/measure.ts';

/**
 * Those of connections that work whose time was not read for an hour, four times as long as it takes, or never since they were
 * connected: also where each reading ends by itself, as one does whose server is away.
 */
const BEHIND = `SELECT count(*)::int AS value, min(since) AS oldest_at
  FROM (SELECT coalesce(calendar.last_synced_at, connection.created_at) AS since FROM scheduler_connections AS connection
          JOIN scheduler_calendars AS calendar
            ON calendar.organization_id = connection.organization_id AND calendar.connection_id = connection.id
         WHERE connection.status = 'active' AND calendar.checks_conflicts
           AND coalesce(calendar.last_synced_at, connection.created_at) < now() - interval '1 hour'
         LIMIT ${MOST_COUNTED}) AS behind`;

const failing = (status: 'reauth_required' | 'error', title: Text, help: string): Measure => ({
  name: `scheduler_calendars_${status}`,
  title,
  help,
  unit: 'count',
  age: { en: 'its last change', ja: '最後の更新から' },
  query: countOldest('scheduler_connections', `status = '${status}'`, 'updated_at'),
});

/** What operators see of calendars elsewhere. */
export const calendarMeasures: readonly Measure[] = [
  {
    name: 'scheduler_calendars_active',
    title: { en: 'Calendars that are connected', ja: '接続中のカレンダー' },
    help: 'Connections to calendars elsewhere that work',
    unit: 'count',
    query: `SELECT count(*)::int AS value
      FROM (SELECT FROM scheduler_connections WHERE status = 'active' LIMIT ${MOST_COUNTED}) AS active`,
  },
  failing(
    'reauth_required',
    { en: 'Calendars that their owners have to connect again', ja: '再接続が必要なカレンダー' },
    'Connections whose access was taken away, or whose secret no key of this process opens',
  ),
  failing(
    'error',
    { en: 'Calendars that cannot be read', ja: '読み取れないカレンダー' },
    'Connections whose calendars are refused or not understood',
  ),
  {
    name: 'scheduler_calendars_behind',
    title: { en: 'Calendars that were not read for an hour', ja: '1時間読み取れていないカレンダー' },
    help: 'Calendars of working connections that were last read more than an hour ago, or never',
    unit: 'count',
    age: { en: 'its last reading', ja: '最後の読み取りから' },
    query: BEHIND,
  },
  {
    name: 'scheduler_calendar_entries_failed',
    title: {
      en: 'Bookings that could not be written into calendars',
      ja: 'カレンダーに書き込めなかった予約',
    },
    help: 'Entries of bookings in calendars elsewhere that failed, in the last seven days',
    unit: 'count',
    age: { en: 'its end', ja: '終了から' },
    query: countOldest(
      'scheduler_calendar_entries',
      "status = 'failed' AND updated_at > now() - interval '7 days'",
      'updated_at',
    ),
  },
];
