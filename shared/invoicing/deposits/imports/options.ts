import { z } from 'zod';
import { commonOptions } from '../../../platform/imports/options.ts';

const { on_conflict: _, ...reading } = commonOptions;

/** What an import of a bank's statement takes. */
export const DepositImportFields = z.strictObject({
  ...reading,
  normalize: reading.normalize.describe(
    'Takes the word for a transfer (振込, フリコミ) off the name of who paid. A preview tells what is read otherwise than it is written.',
  ),
});

/** The same as it is kept: a deposit that is there is never changed, and a soft lock is passed by who might when they asked. */
export const DepositImportOptions = DepositImportFields.transform((options) => ({
  ...options,
  on_conflict: 'skip' as const,
  passes_soft_locks: false,
}));

export type DepositImportOptions = z.output<typeof DepositImportOptions>;
