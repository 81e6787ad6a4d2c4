import { z } from 'zod';
import { job } from '../kernel/job.ts';

const HOUR = 3_600_000;

/** Gives up what is in the trash, as far as who asked may. */
export const emptyTrashJob = job({
  name: 'cloud.empty_trash',
  queue: 'storage',
  payload: z.strictObject({
    job_id: z.string(),
    /** What came into the trash later stays. */
    before: z.string(),
    asking: z.strictObject({
      type: z.enum(['user', 'api_key', 'guest', 'system']),
      id: z.string(),
      user_id: z.string().nullable(),
    }),
  }),
  attempts: 5,
  time_limit: HOUR,
});
