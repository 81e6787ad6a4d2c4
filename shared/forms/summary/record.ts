import { z } from 'zod';
import { id } from '../../kernel/schema.ts';

const percent = () =>
  z
    .string()
    .describe('Of those who answered, with one decimal.')
    .meta({ examples: ['62.5'] });

const counted = z.strictObject({
  id: z
    .string()
    .nullable()
    .describe('The option; `true` or `false` of a yes or no; null for other texts.')
    .meta({ examples: ['repair'] }),
  count: z.int().meta({ examples: [5] }),
  percent: percent(),
});

const decimal = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

const field = z.strictObject({
  id: z.string().meta({ examples: ['kind'] }),
  type: z.string().meta({ examples: ['choice'] }),
  label: z
    .string()
    .describe("The newest, in the form's language.")
    .meta({ examples: ['ご用件'] }),
  answered: z.int().meta({ examples: [8] }),
  skipped: z
    .int()
    .describe('Responses of versions that have the field, without an answer.')
    .meta({ examples: [2] }),
  options: z
    .array(counted)
    .describe('How often each was chosen; of a ranking, how often it was put first.')
    .optional(),
  rows: z
    .array(
      z.strictObject({
        id: z.string().meta({ examples: ['speed'] }),
        answered: z.int().meta({ examples: [8] }),
        options: z.array(counted),
      }),
    )
    .optional(),
  min: decimal('1').optional(),
  max: decimal('2').optional(),
  mean: decimal('1.67').optional(),
  median: decimal('2.00').optional(),
  promoters: z
    .int()
    .meta({ examples: [7] })
    .optional(),
  passives: z
    .int()
    .meta({ examples: [2] })
    .optional(),
  detractors: z
    .int()
    .meta({ examples: [4] })
    .optional(),
  score: decimal('23.1').describe('100 x (promoters - detractors) / answered.').optional(),
});

export type SummedField = z.output<typeof field>;

/** What the responses of a form come to: those of all versions, without spam. */
export const FormSummary = z
  .strictObject({
    object: z.literal('forms.summary'),
    form_id: id('form'),
    views: z.int().meta({ examples: [120] }),
    starts: z.int().meta({ examples: [40] }),
    completions: z.int().meta({ examples: [10] }),
    pages: z.array(
      z.strictObject({
        id: z.string().meta({ examples: ['visit'] }),
        reached: z.int().meta({ examples: [40] }),
      }),
    ),
    fields: z.array(field.meta({ id: 'FormFieldSummary' })),
  })
  .meta({ id: 'FormSummary' });

export type FormSummary = z.output<typeof FormSummary>;

/** Which responses are summed up: submitted at `submitted_after` or later, and before `submitted_before`. */
export type SummaryPeriod = { submitted_after?: string | undefined; submitted_before?: string | undefined };
