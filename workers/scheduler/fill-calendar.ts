import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { forgetLeft, leftEntries, takeBackLeft } from '../../shared/scheduler/calendars/entries/left.ts';
import { type UpcomingPlace, wantUpcoming } from '../../shared/scheduler/calendars/entries/upcoming.ts';
import { CalendarFailure, type Opening } from '../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../shared/scheduler/calendars/providers.ts';
import { type ConnectionRow, connectionRow } from '../../shared/scheduler/calendars/rows.ts';
import { lockHosts } from '../../shared/scheduler/occupancies/hosts.ts';
import { type Delivery, type Handler, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

/**
 * Has the entries of a calendar that was connected be those of its owner's bookings as they are now: what an earlier
 * connection has left there is taken back, or removed where the booking has its entry elsewhere by now, and bookings to come
 * without an entry get one. In steps: an owner may have thousands.
 */
export function fillCalendar(services: OutsideServices): Handler<{ connection_id: string }> {
  return async ({ connection_id }, delivery) => {
    const { database, clock } = delivery;
    const row = await inDelivery(database, delivery, clock(), (work) => connectionRow(work, connection_id));
    if (row.status === 'disconnected') return;
    await takeBack(row, delivery);
    await removeLeft(services, row, delivery);
    // A booking that was made while the calendar was being connected may not have seen it: its host is locked until it commits.
    await delivery.part((work) => lockHosts(work, [row.user_id]));
    let place: UpcomingPlace | null = null;
    do {
      delivery.draining.throwIfAborted();
      await delivery.part(async (work) => {
        place = await wantUpcoming(work, row.user_id, place);
      });
    } while (place);
  };
}

async function takeBack({ id, user_id }: ConnectionRow, delivery: Delivery): Promise<void> {
  let isMore = true;
  while (isMore) {
    delivery.draining.throwIfAborted();
    await delivery.part(async (work) => {
      isMore = await takeBackLeft(work, id, user_id);
    });
  }
}

/** What the provider does not let us remove stays known as ours: it occupies nobody. Errors: `TryLater`. */
async function removeLeft(
  services: OutsideServices,
  { id: connection_id, provider }: ConnectionRow,
  delivery: Delivery,
): Promise<void> {
  const { database, organization_id, clock, signal, log } = delivery;
  const opening: Opening = { database, services, organization_id, connection_id, clock, signal };
  for (;;) {
    const left = await inDelivery(database, delivery, clock(), (work) => leftEntries(work, connection_id));
    if (left.length === 0) return;
    const { entries } = providerOf(provider).open(opening);
    for (const one of left) {
      delivery.draining.throwIfAborted();
      try {
        await entries!.remove(one.calendar_id, one.external_key, null);
      } catch (error) {
        if (!(error instanceof CalendarFailure)) throw error;
        if (error.reason === 'rate' || error.reason === 'unavailable') throw new TryLater(error.message);
        log.warn({ connection_id, reason: error.message }, 'An entry that was left is not removed');
        return;
      }
      await delivery.part(async (work) => forgetLeft(work, connection_id, one));
    }
  }
}
