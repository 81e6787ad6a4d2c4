import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { CalendarFailure, type Opening } from '../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../shared/scheduler/calendars/providers.ts';
import { connectionRow } from '../../shared/scheduler/calendars/rows.ts';
import {
  forgetChannels,
  keepChannel,
  newChannel,
  unwatched,
} from '../../shared/scheduler/calendars/watch/channels.ts';
import { canBeTold } from '../../shared/scheduler/calendars/watch/request.ts';
import { type Delivery, type Handler, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

/**
 * Has the provider tell of changes of each calendar that is read, and closes the channels that end soon once there are new
 * ones. A calendar of which nobody can be told, such as a holiday calendar, is read at its intervals alone.
 */
export function watchCalendars(services: OutsideServices): Handler<{ connection_id: string }> {
  return async ({ connection_id }, delivery) => {
    const { database, organization_id, clock, signal } = delivery;
    const found = await inDelivery(database, delivery, clock(), async (work) => ({
      row: await connectionRow(work, connection_id),
      ...(await unwatched(work, connection_id)),
    }));
    if (found.row.status !== 'active' || !canBeTold(services)) return;
    const opening: Opening = { database, services, organization_id, connection_id, clock, signal };
    const { channels } = providerOf(found.row.provider).open(opening);
    if (!channels) return;
    for (const calendar_id of found.calendar_ids) {
      delivery.draining.throwIfAborted();
      const { token, ...asked } = newChannel(organization_id, services.base_url);
      const channel = await forNow(delivery, () => channels.open(calendar_id, { ...asked, token }));
      if (!channel) continue;
      await delivery.part(async (work) => keepChannel(work, channel, { connection_id, calendar_id, token }));
    }
    for (const channel of found.ending) await forNow(delivery, () => channels.close(channel));
    await delivery.settle(async (work) =>
      forgetChannels(
        work,
        found.ending.map(({ id }) => id),
      ),
    );
  };
}

/** What a provider refuses is left; what it puts off is tried again. Errors: `TryLater`. */
async function forNow<T>({ log }: Delivery, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (error.reason === 'rate' || error.reason === 'unavailable') throw new TryLater(error.message);
    log.warn({ reason: error.message }, 'A calendar is not watched');
    return null;
  }
}
