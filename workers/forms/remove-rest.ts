import type { z } from 'zod';
import type { removeRestJob } from '../../shared/forms/erasing/jobs.ts';
import { removeNextFiles, removeNextResponses } from '../../shared/forms/erasing/rest.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { Handler } from '../kernel/handler.ts';

type Asked = z.output<(typeof removeRestJob)['payload']>;

/**
 * Removes what a removed form has left, a part at a time, as who removed it. Each part commits, and what is gone is found by no
 * other try.
 */
export const removeRest: Handler<Asked> = async ({ form_id, asking }, delivery) => {
  // That they might was settled with the commit that removed the form.
  const actor: Actor = { ...asking, role: null, grants: [] };
  for (const removeNext of [removeNextResponses, removeNextFiles]) {
    for (let goes_on = true; goes_on; ) {
      delivery.draining.throwIfAborted();
      await delivery.part(async (work: Work) => {
        goes_on = await removeNext(work.onBehalfOf(actor, delivery.delivery_id), form_id);
      });
    }
  }
};
