import {
  type Erasure,
  endErasure,
  eraseNext,
  eraseNextInvitations,
  eraseNextPartials,
  lockErasure,
} from '../../shared/forms/erasing/erasure.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { presentActor } from '../batches/present-actor.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';

type Payload = { job_id: string; asking: Pick<Actor, 'type' | 'id' | 'user_id'> };

/**
 * Erases what one address answered, a part at a time, with the rights that who asked has by now. Each part commits with what has been done, so that a worker that takes over
 * goes on behind it; what is erased is not found again. A job that is cancelled stops, and what is erased stays erased.
 */
export function erase(): Handler<Payload> {
  return async (payload, delivery) => {
    const { job_id } = payload;
    await delivery.part(async (work) => {
      await startJob(work, job_id);
    });
    await eachPart(delivery, payload, eraseNext);
    await eachPart(delivery, payload, eraseNextPartials);
    await eachPart(delivery, payload, eraseNextInvitations);
    await delivery.settle(async (work) => {
      const erasure = await lockErasure(work, job_id);
      if (!erasure) return;
      const { is_dry_run, done } = erasure;
      const { after: _, after_invitation: __, ...result } = done;
      endErasure(work, job_id);
      await succeedJob(work, job_id, { ...result, dry_run: is_dry_run });
    });
  };
}

async function eachPart(
  { part, draining, delivery_id }: Delivery,
  { job_id, asking }: Payload,
  act: (work: Work, erasure: Erasure) => Promise<boolean>,
): Promise<void> {
  for (let goes_on = true; goes_on; ) {
    draining.throwIfAborted();
    await part(async (work) => {
      goes_on = false;
      const erasure = await lockErasure(work, job_id);
      if (!erasure) return;
      const present = await presentActor(work, asking, 'settings:write');
      if ('refused' in present) {
        throw new PermanentFailure(reasons.may_not_do_it().en, {
          code: present.refused,
        });
      }
      goes_on = await act(work.onBehalfOf(present.actor, delivery_id), erasure);
      const is_open = await progressJob(work, job_id, { done: erasure.done.response_count });
      if (!is_open) {
        endErasure(work, job_id);
        goes_on = false;
      }
    });
  }
}
