import { z } from 'zod';
import { commonOptions } from '../../platform/imports/options.ts';

const { on_conflict: _, ...reading } = commonOptions;

/** What an import of entries takes. */
export const JournalImportFields = z.strictObject({
  ...reading,
  auto_tax: z
    .boolean()
    .default(false)
    .describe(
      'Takes the amounts as those of other programs, with consumption tax in them, and splits the tax off into lines of its own.',
    ),
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
