import { z } from 'zod';
import { responseSources, responseStatuses } from '../../shared/forms/responses/words.ts';
import { fieldId } from '../../shared/forms/settings/record.ts';
import { id, integerParameter, timestampInput } from '../../shared/kernel/schema.ts';
import { manyOf } from '../http/look-ups.ts';

/** What the responses of a form are filtered by, in lists and exports. */
export const responseFilters = {
  is_spam: z
    .enum(['false', 'true', 'all'])
    .describe('`false` unless said: without those that are flagged as spam.')
    .optional(),
  form_version: integerParameter(1, 1_000_000).describe('The number of a version.').optional(),
  ending_id: fieldId()
    .describe('The ending that was reached.')
    .meta({ examples: ['thanks'] })
    .optional(),
  source: z.enum(responseSources).optional(),
  status: manyOf(z.enum(responseStatuses))
    .describe('Only responses of this status, or of several with commas between.')
    .meta({ examples: ['open,in_progress'] })
    .optional(),
  assignee_id: id('usr').optional(),
  search: z
    .string()
    .max(200)
    .describe('A part of a text that was answered.')
    .meta({ examples: ['見積もり'] })
    .optional(),
  field: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}(\.[a-z][a-z0-9_]{0,63})?$/)
    .describe(
      'With `value`: a field of any version, or a part of one: the row of a matrix, `who.last_name` of a name or address.',
    )
    .meta({ examples: ['kind'] })
    .optional(),
  value: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      'What `field` was answered with: the ID of an option (also as one of several), a number, `true`, a text as a whole.',
    )
    .meta({ examples: ['repair'] })
    .optional(),
  submitted_after: timestampInput().describe('Submitted at this time or later.').optional(),
  submitted_before: timestampInput().describe('Submitted before this time.').optional(),
};
