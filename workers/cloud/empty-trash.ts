import { giveUpNext } from '../../shared/cloud/trash/operations.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import { startJob, stepJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { presentActor } from '../batches/present-actor.ts';
import { type Handler, PermanentFailure } from '../kernel/handler.ts';

type Payload = { job_id: string; before: string; asking: Pick<Actor, 'type' | 'id' | 'user_id'> };

/**
 * Gives up what is in the trash, a part at a time, with the rights that who asked has by now. A part that was done before a
 * worker was killed is not found again, and counts.
 */
export function emptyTrash(): Handler<Payload> {
  return async ({ job_id, before, asking }, { part, settle, draining, delivery_id }) => {
    let purged = 0;
    let after = '' as string | null;
    while (after !== null) {
      draining.throwIfAborted();
      const from = after;
      await part(async (work) => {
        after = null;
        if (!(await startJob(work, job_id))) return;
        const present = await presentActor(work, asking, 'cloud:write');
        if ('refused' in present) {
          throw new PermanentFailure(reasons.may_not_do_it().en, {
            code: present.refused,
          });
        }
        const next = await giveUpNext(work.onBehalfOf(present.actor, delivery_id), { before, after: from });
        purged = (await stepJob(work, job_id, next.count))!.done;
        after = next.last;
      });
    }
    await settle(async (work) => {
      await succeedJob(work, job_id, { purged });
    });
  };
}
