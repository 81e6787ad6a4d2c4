import { z } from 'zod';

export const conflictRules = ['update', 'fill_blank', 'skip'] as const;

export type OnConflict = (typeof conflictRules)[number];

/** A form sends words where JSON has values. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);

const headerOrField = z.string().min(1).max(10_000);

const mapping = z.record(headerOrField, z.string().min(1).max(200));

/** A field of a form holds the JSON text of what a JSON body would hold as it is. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z.union([
    schema,
    z.string().transform((text, context) => {
      try {
        return schema.parse(JSON.parse(text));
      } catch (error) {
        if (error instanceof z.ZodError) {
          for (const issue of error.issues) context.addIssue({ ...issue, input: text, code: 'custom' });
        } else {
          context.addIssue({ code: 'custom', message: 'Must be JSON' });
        }
        return z.NEVER;
      }
    }),
  ]);
}

/** The options that every import takes; a domain adds its own to this shape. */
export const commonOptions = {
  mapping: jsonText(mapping)
    .optional()
    .describe(
      'Field by column: a column is named by its header, or by its number from 1 where there is none. Proposed from the header when absent.',
    )
    .meta({ examples: [{ メールアドレス: 'email', 姓: 'last_name', 名: 'first_name' }] }),
  has_header: z
    .union([z.literal('auto'), flag])
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
  dry_run: flag.default(false).describe('Counts and reports errors, and writes no record.'),
};

export type CommonOptions = z.output<z.ZodObject<typeof commonOptions>> & { keep_unmapped?: boolean };

/** Whether columns without a field are kept, where the domain has a place for them. */
export const keepUnmapped = flag
  .default(false)
  .describe('Keeps the cells of columns without a field as attributes, by their header.');
