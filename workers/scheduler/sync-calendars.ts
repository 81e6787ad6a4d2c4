import { DAY } from '../../shared/kernel/days.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import {
  CalendarFailure,
  type OpenCalendars,
  type Reading,
} from '../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../shared/scheduler/calendars/providers.ts';
import {
  isPutOffForLong,
  noteStatus,
  statusAfterTries,
  statusBy,
} from '../../shared/scheduler/calendars/status.ts';
import {
  clearRead,
  dropCalendar,
  keepPage,
  takeReading,
} from '../../shared/scheduler/calendars/sync/keep.ts';
import {
  beginRun,
  type DueCalendar,
  endRun,
  failRun,
  nextDue,
  pauseRun,
  type Running,
} from '../../shared/scheduler/calendars/sync/run.ts';
import { requestWatch } from '../../shared/scheduler/calendars/watch/request.ts';
import { reasonsOfScheduler } from '../../shared/scheduler/failure-reasons.ts';
import { type Delivery, type Handler, type Hooks, Postponed, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

type Payload = { connection_id: string; job_id: string | null };

/** Events of so many milliseconds from now on are read. */
const AHEAD = 760 * 86_400_000;

/** All of a calendar is read again after so long: what was missed is found then. */
const FULL_AGAIN = 7 * DAY;

/** Milliseconds before a run looks again whether the one before it has ended. */
const LOOK_AGAIN = 1_000;

/**
 * Reads the calendars of a connection until none is due, each in one commit at its end. One run at a time has a connection;
 * requests during it are due calendars that it finds. What it has read of a calendar before it was killed is read again.
 */
export function syncCalendars(services: OutsideServices): Handler<Payload> {
  return async (payload, delivery) => {
    const running = await begin(payload, delivery);
    if (!running) return;
    try {
      await run(services, running, payload, delivery);
    } catch (error) {
      await noteEnd(error, payload, delivery);
    }
  };
}

async function begin({ connection_id, job_id }: Payload, delivery: Delivery): Promise<Running | null> {
  const { delivery_id } = delivery;
  let running: Running | null = null;
  let isBusy = false;
  await delivery.part(async (work) => {
    const begun = await beginRun(work, { connection_id, job_id, delivery_id });
    running = begun.state === 'runs' ? begun.running : null;
    isBusy = begun.state === 'busy';
  });
  if (isBusy) throw new Postponed(reasonsOfScheduler.calendar_is_read().en, LOOK_AGAIN);
  return running;
}

async function run(
  services: OutsideServices,
  running: Running,
  { connection_id, job_id }: Payload,
  delivery: Delivery,
): Promise<void> {
  const { database, organization_id, delivery_id, clock, signal } = delivery;
  const opening = { database, services, organization_id, connection_id, clock, signal };
  const open = providerOf(running.provider).open(opening);
  let calendars = 0;
  for (;;) {
    delivery.draining.throwIfAborted();
    const due = await inDelivery(database, delivery, clock(), (work) => nextDue(work, connection_id));
    if (due) {
      await readCalendar(services, open, running, due, delivery);
      calendars += 1;
      continue;
    }
    let isOver = false;
    await delivery.part(async (work) => {
      isOver = await endRun(work, connection_id, { delivery_id, job_id, calendars });
      if (isOver && calendars > 0) await noteStatus(work, connection_id, 'active', null);
    });
    if (isOver) return;
  }
}

/** Reads a calendar since its last token; all of it where the provider does not know that any more, at whichever page. */
async function readCalendar(
  services: OutsideServices,
  open: OpenCalendars,
  running: Running,
  due: DueCalendar,
  delivery: Delivery,
): Promise<void> {
  const now = delivery.clock().getTime();
  const isOld = due.full_sync_at === null || now - Date.parse(due.full_sync_at) >= FULL_AGAIN;
  const sync_token = isOld ? null : due.sync_token;
  const readSince = (token: string | null) =>
    takeCalendar(services, open, running, { ...due, sync_token: token }, delivery);
  try {
    await readSince(sync_token);
  } catch (error) {
    if (sync_token === null || !isGone(error)) throw error;
    await readSince(null);
  }
}

async function takeCalendar(
  services: OutsideServices,
  open: OpenCalendars,
  running: Running,
  due: DueCalendar,
  delivery: Delivery,
): Promise<void> {
  const began_at = delivery.clock();
  const reading = await begunReading(open, running, due, began_at);
  if (!reading) return delivery.part((work) => dropCalendar(work, running.id, due.id));
  const where = { connection_id: running.id, calendar_id: due.id };
  const host = new URL(services.base_url).hostname;
  let [sync_token, time_zone]: (string | null)[] = [null, null];
  await delivery.part((work) => clearRead(work, where));
  for await (const page of reading.pages) {
    delivery.draining.throwIfAborted();
    await delivery.part((work) => keepPage(work, where, page.changes, host));
    sync_token = page.next_sync_token;
    time_zone = page.time_zone ?? time_zone!;
  }
  await delivery.part(async (work) => {
    const read = { holds: reading.holds, sync_token: sync_token!, time_zone: time_zone!, began_at };
    if (await takeReading(work, running, due, read)) await requestWatch(work, running, due.id, services);
  });
}

/** The reading of a calendar; null where it is gone itself, which is known once it was asked for without a token. */
async function begunReading(
  open: OpenCalendars,
  { owner_time_zone }: Running,
  { id, sync_token }: DueCalendar,
  now: Date,
): Promise<Reading | null> {
  const from = new Date(now.getTime() - DAY);
  const to = new Date(now.getTime() + AHEAD);
  try {
    return await open.read({ calendar_id: id, sync_token, from, to, owner_time_zone });
  } catch (error) {
    if (sync_token !== null || !isGone(error)) throw error;
    return null;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof CalendarFailure && error.reason === 'gone';
}

/**
 * Ends a run that failed: its connection shows why, or it is tried again. Errors: `TryLater` and `Postponed`, and what is no
 * failure of a calendar.
 */
async function noteEnd(
  error: unknown,
  { connection_id, job_id }: Payload,
  delivery: Delivery,
): Promise<void> {
  const { delivery_id, database, clock } = delivery;
  const run = { delivery_id, job_id };
  const note = <T>(write: (work: Work) => Promise<T>) => inDelivery(database, delivery, clock(), write);
  const failure = error instanceof CalendarFailure ? error : null;
  const status = failure && statusBy(failure);
  const isOver =
    delivery.is_last_attempt ||
    (failure?.retry_after != null && (await note((work) => isPutOffForLong(work, connection_id))));
  if (!failure || (!status && !isOver)) {
    await note((work) => pauseRun(work, connection_id, run));
    if (!failure) throw error;
    if (failure.retry_after !== null) throw new Postponed(failure.message, failure.retry_after);
    throw new TryLater(failure.message);
  }
  delivery.log.warn({ connection_id, reason: failure.message }, 'A calendar cannot be read');
  await delivery.settle(async (work) => {
    const noted = status ?? (await statusAfterTries(work, connection_id));
    if (noted) await noteStatus(work, connection_id, noted, failure.word);
    const { word: code, message, retry_after } = failure;
    await failRun(work, connection_id, { ...run, error: { code, message }, retry_after });
  });
}

/** A run that is given up for a fault of ours leaves its connection to the next one. */
export const syncHooks: Hooks<Payload> = {
  gaveUp: async ({ connection_id, job_id }, work, error) => {
    const [row] = await work.connection.query<{ sync_delivery_id: string | null }>(
      'SELECT sync_delivery_id FROM scheduler_connections WHERE organization_id = $1 AND id = $2',
      [work.organization_id, connection_id],
    );
    const delivery_id = row?.sync_delivery_id ?? '';
    await failRun(work, connection_id, { delivery_id, job_id: null, error });
    await work.connection.query(
      `UPDATE scheduler_connections SET sync_is_queued = false, sync_job_id = NULLIF(sync_job_id, $3)
        WHERE organization_id = $1 AND id = $2`,
      [work.organization_id, connection_id, job_id ?? ''],
    );
  },
};
