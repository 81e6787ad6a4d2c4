import { MOST_FILE_BYTES } from '../../shared/cloud/files/record.ts';
import {
  extend,
  giveBack,
  mayBeForgotten,
  prolong,
  type Reservation,
  reserve,
} from '../../shared/cloud/usage/reservations.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { Admission } from '../http/files/declarations.ts';
import type { Steps } from '../http/steps.ts';

/** Milliseconds between two signs that an upload still arrives. */
const BEAT = 30_000;

/**
 * Bytes up to which a body is taken without being admitted: it is here as soon as it could be refused, and the transaction
 * that keeps it looks and takes its room anyway. A transaction before it costs as much as that one.
 */
const SMALL = 64 * 1024;

/** The room of an upload, and what ends the signs that it arrives; null for a small one. */
export type Granted = (Reservation & { stop: () => void }) | null;

/**
 * Takes room for the bytes that a request announces, after `look` has let it through: in a short transaction of its own, as
 * a reservation that says every half minute that bytes arrive. What comes without an announcement takes its room in steps
 * while it does. Errors: those of `look`, `quota_exceeded`.
 */
export async function admitted(
  steps: Steps,
  length: number | null,
  look: (work: Work) => Promise<void>,
): Promise<Admission<Granted>> {
  if (length !== null && length <= SMALL) return { granted: null, dismiss: async () => undefined };
  const { caller, context } = steps;
  const acting = { organization_id: caller.organization_id, may_change_nothing: true };
  const id = newId('file', caller.now);
  const bytes = Math.min(length ?? 0, MOST_FILE_BYTES);
  const installation_bytes = context.settings.cloudQuotaBytes;
  await steps.write(acting, async (work) => {
    await look(work);
    await reserve(work, { id, bytes }, installation_bytes);
    mayBeForgotten(work);
  });
  const beat = setInterval(() => {
    steps
      .write(acting, (work) => prolong(work, id, context.now()))
      .catch((error) => context.log.warn({ err: error }, 'Could not prolong the reservation of an upload'));
  }, BEAT);
  beat.unref();
  const stop = () => clearInterval(beat);
  const granted = { id, bytes, stop };
  const admission = {
    granted,
    async dismiss() {
      stop();
      await steps
        .write(acting, (work) => giveBack(work, id))
        .catch((error) =>
          context.log.warn({ err: error }, 'Could not free the room of an upload; the sweep will'),
        );
    },
  };
  if (length !== null) return admission;
  return {
    ...admission,
    async keepUp(arrived: number) {
      if (arrived <= granted.bytes) return;
      granted.bytes = await steps.write(acting, (work) =>
        extend(work, granted, { bytes: arrived, installation_bytes, now: context.now() }),
      );
    },
  };
}
