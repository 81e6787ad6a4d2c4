import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import {
  beginWriting,
  type EntryOf,
  hold,
  noteFailed,
  noteWritten,
  type Writing,
} from '../../shared/scheduler/calendars/entries/writing.ts';
import {
  CalendarFailure,
  type Opening,
  type WrittenEntry,
} from '../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../shared/scheduler/calendars/providers.ts';
import { noteStatus, statusBy } from '../../shared/scheduler/calendars/status.ts';
import { reasonsOfScheduler } from '../../shared/scheduler/failure-reasons.ts';
import { type Delivery, type Handler, type Hooks, Postponed, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

/** Milliseconds before a delivery looks again whether the one before it has written the entry. */
const LOOK_AGAIN = 1_000;

/**
 * Brings one entry to what is wanted, by the booking as it is now. A worker that dies once the provider has the entry writes
 * it again under the same ID: it is one entry. One delivery at a time writes an entry, so that the last state stays.
 */
export function writeEntry(services: OutsideServices): Handler<EntryOf> {
  return async (which, delivery) => {
    const { hostname: host } = new URL(services.base_url);
    let begun: Writing | 'busy' | null = null;
    await delivery.part(async (work) => {
      begun = await beginWriting(work, which, delivery.delivery_id, host);
    });
    const writing = begun as Writing | 'busy' | null;
    if (writing === 'busy') throw new Postponed(reasonsOfScheduler.entry_is_written().en, LOOK_AGAIN);
    if (!writing) return;
    try {
      const written = await put(services, writing, delivery);
      await delivery.settle((work) => noteWritten(work, which, writing, written));
    } catch (error) {
      if (!(error instanceof CalendarFailure)) throw error;
      await noteEnd(error, which, writing, delivery);
    }
  };
}

async function put(
  services: OutsideServices,
  { connection_id, provider, calendar_id, entry, key, before }: Writing,
  { database, organization_id, clock, signal }: Delivery,
): Promise<WrittenEntry | null> {
  const opening: Opening = { database, services, organization_id, connection_id, clock, signal };
  const { entries } = providerOf(provider).open(opening);
  if (!entries) throw new CalendarFailure('forbidden', 'read_only');
  if (!entry) {
    await entries.remove(calendar_id, key, before);
    return null;
  }
  const written = await entries.put(calendar_id, entry, before);
  if (entry.wants_meeting_link && written.meeting_link === null) {
    throw new CalendarFailure('unavailable', 'no_meeting_link');
  }
  return written;
}

/** Errors: `TryLater` where another try may help. */
async function noteEnd(
  error: CalendarFailure,
  which: EntryOf,
  { connection_id, revision }: Writing,
  delivery: Delivery,
): Promise<void> {
  const status = statusBy(error);
  if (!status && !delivery.is_last_attempt) {
    await inDelivery(delivery.database, delivery, delivery.clock(), (work) => hold(work, which, null));
    throw new TryLater(error.message);
  }
  const { record_id } = which;
  delivery.log.warn({ record_id, connection_id, reason: error.message }, 'A calendar entry was not written');
  await delivery.settle(async (work) => {
    if (error.reason === 'reauth_required') {
      await noteStatus(work, connection_id, 'reauth_required', error.word);
    }
    await noteFailed(work, which, { revision, word: error.word });
  });
}

/** An entry that is given up for a fault of ours shows as failed. */
export const entryHooks: Hooks<EntryOf> = {
  gaveUp: (which, work) => noteFailed(work, which, { revision: null, word: 'gave_up' }),
};
