import { z } from 'zod';

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
