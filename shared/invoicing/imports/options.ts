import { z } from 'zod';
import { commonOptions } from '../../platform/imports/options.ts';

/** What an import of documents takes. */
export const DocumentImportOptions = z.strictObject({
  ...commonOptions,
  on_conflict: commonOptions.on_conflict.describe(
    'What happens to a draft whose `external_id` a file names: its cells overwrite it and its lines take the place of those that were there; they fill what is blank in it, and its lines stay; or it stays.',
  ),
});

export type DocumentImportOptions = z.output<typeof DocumentImportOptions>;
