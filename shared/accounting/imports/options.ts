import { z } from 'zod';
import { commonOptions } from '../../platform/imports/options.ts';

const { on_conflict: _, ...reading } = commonOptions;

/** What an import of entries takes. */
export const JournalImportFields = z.strictObject({
  ...reading,
  post: z
    .boolean()
    .default(false)
    .describe('Posts the entries, numbered in the order of the file; else they are drafts.'),
});

/** The same as it is kept: an entry is never met again, and a soft lock is passed by who might when they asked. */
export const JournalImportOptions = JournalImportFields.transform((options) => ({
  ...options,
  on_conflict: 'skip' as const,
  passes_soft_locks: false,
}));

export type JournalImportOptions = z.output<typeof JournalImportOptions>;
