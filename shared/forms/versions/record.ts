import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** A frozen version of a form, as lists show it. */
export const ListedVersion = z
  .strictObject({
    id: id('formv'),
    object: z.literal('forms.version'),
    form_id: id('form'),
    number: z.int().meta({ examples: [1] }),
    title: z.string().meta({ examples: ['お問い合わせ'] }),
    sha256: z
      .string()
      .describe('Of the text of the schema, in hexadecimal.')
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    published_at: timestamp(),
    published_by: id('usr').nullable(),
  })
  .meta({ id: 'ListedFormVersion' });

export type ListedVersion = z.output<typeof ListedVersion>;

/** A frozen version of a form. It is never changed, and is there as long as the form. */
export const FormVersion = ListedVersion.extend({
  schema_json: z
    .string()
    .describe('The schema, byte for byte as it was published.')
    .meta({ examples: ['{"version":1,"locale":"ja","pages":[]}'] }),
}).meta({ id: 'FormVersion' });

export type FormVersion = z.output<typeof FormVersion>;

export class FormVersionModel extends TenantModel {
  static override tableName = 'forms_versions';
}

export const versionFacts = factsOf({ domain: 'forms', entity_type: 'version' });
