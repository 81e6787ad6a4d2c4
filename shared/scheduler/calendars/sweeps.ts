import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { DAY } from '../../kernel/days.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { expiry, HOUR, MINUTE } from '../../platform/sweeps/expiry.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';
import { watchCalendarsJob } from './sync/jobs.ts';
import { requestDue } from './sync/request.ts';
import { RENEWED } from './watch/channels.ts';

type Due = { organization_id: string; connection_id: string };

/** Connections of one look. */
const PAGE = 200;

/** What time asks for of calendars elsewhere. */
export const calendarSweeps: readonly Sweep[] = [
  {
    name: 'calendars_due',
    description: {
      en: 'Has calendars of other services read again, each every 15 minutes',
      ja: '外部のカレンダーを、それぞれ15分ごとに読み取ります',
    },
    every: MINUTE,
    run: (database, now, signal) =>
      eachConnection(
        { database, now, signal },
        `SELECT DISTINCT calendar.organization_id, calendar.connection_id FROM scheduler_calendars AS calendar
           JOIN scheduler_connections AS connection
             ON connection.organization_id = calendar.organization_id AND connection.id = calendar.connection_id
            AND connection.status IN ('active', 'error') AND connection.sync_delivery_id IS NULL
            AND NOT connection.sync_is_queued AND connection.sync_job_id IS NULL
          WHERE calendar.next_sync_at <= $3`,
        now,
        requestDue,
      ),
  },
  {
    name: 'calendar_watches',
    description: {
      en: 'Has services tell of changes of calendars for another while, two days before that ends',
      ja: 'カレンダーの変更通知を、期限の2日前に延長します',
    },
    every: DAY,
    run: (database, now, signal) =>
      eachConnection(
        { database, now, signal },
        `SELECT DISTINCT channel.organization_id, channel.connection_id FROM scheduler_channels AS channel
           JOIN scheduler_connections AS connection
             ON connection.organization_id = channel.organization_id AND connection.id = channel.connection_id
            AND connection.status = 'active'
          WHERE channel.expires_at <= $3`,
        new Date(now.getTime() + RENEWED),
        async (work, connection_id) => {
          work.enqueue(watchCalendarsJob, { connection_id });
        },
      ),
  },
  {
    name: 'calendar_secrets',
    description: {
      en: 'Forgets the secrets of calendars that were disconnected a day ago, whatever their service says',
      ja: '接続を解除して1日たったカレンダーの認証情報を削除します',
    },
    every: HOUR,
    run: async (database, now) =>
      database.withConnection(EVERY_ORGANIZATION, async ({ query }) => {
        const removed = await query(
          `DELETE FROM sealed_secrets AS secret USING scheduler_connections AS connection
            WHERE connection.disconnected_at <= $1 AND secret.organization_id = connection.organization_id
              AND secret.purpose = 'scheduler.calendar' AND secret.record_id = connection.id
            RETURNING 1`,
          [new Date(now.getTime() - DAY).toISOString()],
        );
        return removed.length;
      }),
  },
  expiry({
    table: 'scheduler_consents',
    column: 'expires_at',
    age: 0,
    every: HOUR,
    description: {
      en: 'Removes consents of calendars that nobody came back from',
      ja: '完了しなかったカレンダーの連携を削除します',
    },
  }),
];

/** Does something for each connection that a query finds: `$1` and `$2` are the one after which it goes on, `$3` the time. */
function eachConnection(
  { database, now, signal }: { database: Database; now: Date; signal: AbortSignal },
  query: string,
  until: Date,
  act: (work: Work, connection_id: string) => Promise<void>,
): Promise<number> {
  return eachDue<Due>(
    {
      size: PAGE,
      signal,
      fault: 'connections of calendars failed',
      look: (after) =>
        database.withConnection(EVERY_ORGANIZATION, (connection) =>
          connection.query<Due>(
            `SELECT organization_id, connection_id FROM (${query}) AS due
              WHERE (organization_id, connection_id) > ($1, $2)
              ORDER BY organization_id, connection_id LIMIT ${PAGE}`,
            [after?.organization_id ?? '', after?.connection_id ?? '', until.toISOString()],
            { prepared: false },
          ),
        ),
    },
    async ({ organization_id, connection_id }) => {
      const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
      await database.withConnection(organization_id, (connection) =>
        inWork({ ...who, connection, now }, (work) => act(work, connection_id), { may_change_nothing: true }),
      );
      return true;
    },
  );
}
