import { z } from 'zod';

export const conflictRules = ['update', 'fill_blank', 'skip'] as const;

export type OnConflict = (typeof conflictRules)[number];

/** The options that every import takes; a domain adds its own to this shape. */
export const commonOptions = {
  mapping: z
    .record(z.string().min(1).max(10_000), z.string().min(1).max(200))
    .optional()
    .describe(
      'Field by column: a column is named by its header, or by its number from 1 where there is none. Proposed from the header when absent.',
    )
    .meta({ examples: [{ メールアドレス: 'email', 姓: 'last_name', 名: 'first_name' }] }),
  has_header: z
    .union([z.literal('auto'), z.boolean()])
    .default('auto')
    .describe('Whether the first line names the columns.'),
  delimiter: z
    .enum(['auto', 'comma', 'tab', 'semicolon'])
    .default('auto')
    .describe('What stands between two cells.'),
  encoding: z
    .enum(['auto', 'utf-8', 'utf-16', 'shift_jis'])
    .default('auto')
    .describe('A byte-order mark decides where there is one.'),
  on_conflict: z
    .enum(conflictRules)
    .default('update')
    .describe(
      'What happens to a record that exists: cells overwrite it, fill what is blank in it, or it stays.',
    ),
  normalize: z
    .boolean()
    .default(true)
    .describe(
      'Reads phones and postal codes in ASCII, kana in full width, prefectures by their whole names, options in their own letters, addresses in one line. A preview tells what is read otherwise than it is written. An export of the same records is read as it is.',
    ),
  dry_run: z.boolean().default(false).describe('Counts and reports errors, and writes no record.'),
};

export type CommonOptions = z.output<z.ZodObject<typeof commonOptions>> & {
  keep_unmapped?: boolean;
};

/** Whether columns without a field are kept, where the domain has a place for them. */
export const keepUnmapped = z
  .boolean()
  .default(false)
  .describe('Keeps the cells of columns without a field as attributes, by their header.');
