import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { textsByName, valuesByName } from '../../kernel/open-objects.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** What somebody saved to go on later: the answers as they were sent, which are judged when they are submitted. */
export const Partial = z
  .strictObject({
    id: id('fpart'),
    object: z.literal('forms.partial'),
    data: valuesByName().meta({ examples: [{ kind: 'repair' }] }),
    hidden: textsByName().meta({ examples: [{ campaign: 'spring' }] }),
    locale: z.enum(['ja', 'en']).meta({ examples: ['ja'] }),
    version: z
      .int()
      .describe('The version of the form that they were given to.')
      .meta({ examples: [1] }),
    expires_at: timestamp(),
  })
  .meta({ id: 'FormPartial' });

export type Partial = z.output<typeof Partial>;

export class PartialModel extends TenantModel {
  static override tableName = 'forms_partials';
  static override jsonAttributes = ['data', 'hidden', 'email_keys'];
}
