import { z } from 'zod';
import { addFault } from '../../kernel/schema.ts';

/** A sentence in both languages: drafts are judged for whoever answers later. */
const Sentence = z.strictObject({ en: z.string(), ja: z.string() });

/** What is judged: a text as a schema, or answers by a version or by the working copy. */
export const ValidateInput = z
  .strictObject({
    schema_json: z
      .string()
      .optional()
      .describe(
        'A schema, judged as if it were published: see [what it can hold](/docs/guides/forms#what-a-schema-can-hold).',
      )
      .meta({ examples: ['{"version":1,"locale":"ja","pages":[]}'] }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Answers by the IDs of their fields.')
      .meta({ examples: [{ kind: 'repair', seats: '１２' }] }),
    hidden: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ examples: [{}] }),
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('The version that judges; the working copy without one.')
      .meta({ examples: [1] }),
  })
  .superRefine(({ schema_json, data, hidden, version }, issues) => {
    if (schema_json === undefined && data === undefined) {
      addFault(issues, 'data', 'required', {
        en: 'or schema_json is required',
        ja: 'か schema_json のどちらかが必要です',
      });
    }
    for (const [name, value] of Object.entries({ data, hidden, version })) {
      if (schema_json === undefined || value === undefined) continue;
      addFault(issues, name, 'not_allowed', {
        en: 'must not stand beside schema_json',
        ja: 'は schema_json と同時に指定できません',
      });
    }
  })
  .meta({
    id: 'FormValidateInput',
    examples: [{ data: { kind: 'repair', seats: '１２' }, hidden: {}, version: 1 }],
  });

export type ValidateInput = z.output<typeof ValidateInput>;

const names = (description: string, examples: string[]) =>
  z
    .array(z.string())
    .describe(description)
    .meta({ examples: [examples] });

/** What a submission of the same answers would be told, or a publication of the same schema. */
export const Validated = z
  .strictObject({
    valid: z.boolean().meta({ examples: [false] }),
    errors: z
      .array(
        z.strictObject({
          path: z.string().meta({ examples: ['/data/model'] }),
          code: z.string().meta({ examples: ['required'] }),
          message: Sentence.meta({
            examples: [{ en: 'Please answer this', ja: '入力してください' }],
          }),
        }),
      )
      .describe('Everything that is wrong, 100 at most.'),
    visible_fields: names('The fields that are shown.', ['kind', 'model', 'since', 'seats', 'budget']),
    dropped_fields: names('Fields with an answer that is left out because they are not shown.', []),
    ending_id: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    scores: z
      .record(z.string(), z.string())
      .describe('Exact decimals.')
      .meta({ examples: [{ points: '12.5' }] }),
  })
  .meta({ id: 'FormValidated' });

export type Validated = z.output<typeof Validated>;
