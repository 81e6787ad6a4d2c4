import { z } from 'zod';
import { freeText } from '../../kernel/schema.ts';

/** The values of a record's custom fields by key, in the form that the API takes; the definitions check the rest. */
export const CustomFieldValues = z
  .record(
    z.string().max(50),
    z.union([freeText(10_000), z.number(), z.boolean(), z.array(freeText(200)).max(100), z.null()]),
  )
  .meta({ examples: [{ rank: 'A' }] });

export type CustomFieldValues = z.output<typeof CustomFieldValues>;
