import type { Work } from '../../shared/kernel/work.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { removeSecret } from '../../shared/platform/secrets/store.ts';
import { leaveEntries } from '../../shared/scheduler/calendars/entries/left.ts';
import { CalendarFailure, type Opening } from '../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../shared/scheduler/calendars/providers.ts';
import { connectionRow } from '../../shared/scheduler/calendars/rows.ts';
import { connectionSecret } from '../../shared/scheduler/calendars/secrets.ts';
import { channelsOf, forgetChannels } from '../../shared/scheduler/calendars/watch/channels.ts';
import { lockHosts } from '../../shared/scheduler/occupancies/hosts.ts';
import { type Handler, type Hooks, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

type Payload = { connection_id: string; job_id: string };

/**
 * Leaves the entries that a connection got meanwhile, closes its channels, gives its access back and forgets its secret. What its
 * provider does not take, such as a token that was revoked elsewhere, is left. The access of an account that is connected again
 * by now is not given back: providers end all that its owner has consented to.
 */
export function disconnectCalendar(services: OutsideServices): Handler<Payload> {
  return async ({ connection_id, job_id }, delivery) => {
    const { database, organization_id, clock, signal } = delivery;
    const { row, channels, is_connected_again } = await inDelivery(
      database,
      delivery,
      clock(),
      async (work) => {
        await startJob(work, job_id);
        return {
          row: await connectionRow(work, connection_id),
          channels: await channelsOf(work, connection_id),
          is_connected_again: await isConnectedAgain(work, connection_id),
        };
      },
    );
    // A booking that was under way when the calendar was disconnected may have an entry in it: its host is locked until it commits.
    await delivery.part((work) => lockHosts(work, [row.user_id]));
    await delivery.part((work) => leaveEntries(work, connection_id));
    const opening: Opening = { database, services, organization_id, connection_id, clock, signal };
    try {
      const open = providerOf(row.provider).open(opening);
      for (const channel of channels) await open.channels?.close(channel);
      if (!is_connected_again) await open.revoke();
    } catch (error) {
      if (!(error instanceof CalendarFailure)) throw error;
      if (error.reason === 'rate' || error.reason === 'unavailable') throw new TryLater(error.message);
      delivery.log.warn(
        { connection_id, reason: error.message },
        'The access to a calendar was not given back',
      );
    }
    await delivery.settle(async (work) => {
      forget(
        work,
        connection_id,
        channels.map(({ id }) => id),
      );
      await succeedJob(work, job_id, {});
    });
  };
}

async function isConnectedAgain(
  { connection, organization_id }: Work,
  connection_id: string,
): Promise<boolean> {
  const living = await connection.query(
    `SELECT FROM scheduler_connections AS ended
       JOIN scheduler_connections AS other
         ON other.organization_id = ended.organization_id AND other.user_id = ended.user_id
        AND other.provider = ended.provider AND other.account_key = ended.account_key AND other.status <> 'disconnected'
      WHERE ended.organization_id = $1 AND ended.id = $2 LIMIT 1`,
    [organization_id, connection_id],
  );
  return living.length > 0;
}

function forget(work: Work, connection_id: string, channel_ids: readonly string[]): void {
  forgetChannels(work, channel_ids);
  removeSecret(work, connectionSecret(connection_id));
}

/** A provider that stays away keeps no secret here. */
export const disconnectHooks: Hooks<Payload> = {
  gaveUp: async ({ connection_id }, work) =>
    forget(
      work,
      connection_id,
      (await channelsOf(work, connection_id)).map(({ id }) => id),
    ),
};
