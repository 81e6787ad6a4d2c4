import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';

/** Changes of how the organization is set up. */
export const SETTINGS = { scope: 'settings:write' } as const;

/** What batches of departments and of positions share: their body and their answer. */
export function batchOf<Item extends z.ZodType, Shown extends z.ZodType>(item: Item, shown: Shown) {
  return {
    method: 'post',
    body: z.strictObject({ items: z.array(item).min(1).max(500) }),
    reply: z.strictObject({
      created: z.int().describe('How many were made.'),
      updated: z.int().describe('How many were changed.'),
      items: z.array(shown).describe('All of them, in the order of the batch.'),
    }),
  } as const;
}

/** The job that computes days of open periods again; null where nothing is left to do. */
export const LeftJob = JobResource.nullable().describe(
  'Computes the days of open periods again; null where nothing is left to do.',
);

/** The answer to a deletion that changes days. */
export const DeletedWithJob = z.strictObject({ success: z.literal(true), job: LeftJob });

/** Whose records a list is asked for. */
export const whose = {
  member_id: id('mem').optional(),
  department_id: id('dept').describe('A department with all below it.').optional(),
};
