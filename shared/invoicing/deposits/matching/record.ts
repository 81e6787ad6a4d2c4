import { z } from 'zod';
import { booleanParameter, day, id, integerParameter, timestamp } from '../../../kernel/schema.ts';
import { DepositSuggestion } from '../suggestions/record.ts';
import type { Matching } from './decide.ts';
import { matchRefusals } from './decide.ts';

/** A name or company and an amount that are right; less than that is a guess. */
const SURE = 90;

/** Below this an amount alone would do, or a name alone. */
const LEAST = 60;

const least_score = {
  description: `The score that one suggestion must have, and no second one; ${SURE} unless said.`,
  example: SURE,
};

const with_fee = {
  description:
    'Whether a usual fee that the payer took off is borne by us (`fee_amount`); unless said, such deposits are left.',
  example: false,
};

/** What a match of a deposit takes. */
export const DepositMatchInput = z
  .strictObject({
    least_score: z
      .int()
      .min(LEAST)
      .max(100)
      .describe(least_score.description)
      .meta({ examples: [least_score.example] }),
    with_fee: z
      .boolean()
      .describe(with_fee.description)
      .meta({ examples: [with_fee.example] }),
  })
  .partial()
  .meta({ id: 'DepositMatchInput' });

export type DepositMatchInput = z.output<typeof DepositMatchInput>;

/** The same as parameters of the list of what would be matched. */
export const matchParameters = {
  least_score: integerParameter(LEAST, 100).describe(least_score.description).optional(),
  with_fee: booleanParameter().describe(with_fee.description).optional(),
};

export function matchingOf({ least_score = SURE, with_fee = false }: DepositMatchInput): Matching {
  return { least_score, with_fee };
}

/** Suggestions that an item shows at the most. */
export const MOST_LIKELY = 3;

/** What would become of a deposit that is matched now, as the API shows it. */
export const DepositMatch = z
  .strictObject({
    id: id('dep'),
    object: z.literal('invoicing.deposit_match'),
    received_on: day().meta({ examples: ['2026-05-31'] }),
    payer_name: z
      .string()
      .nullable()
      .meta({ examples: ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ'] }),
    unallocated: z
      .int()
      .describe('What is to be matched, in yen.')
      .meta({ examples: [12_080] }),
    outcome: z
      .enum(['match', ...matchRefusals])
      .describe(
        '`match`: it would be allocated as the one suggestion says. `no_match`: none is likely enough, or those before it in this page pay its invoice. `ambiguous_match`: several are. `match_with_fee`: one is, less a fee that nobody allowed. `nothing_unallocated`: only a fee is left of it.',
      ),
    suggestions: z
      .array(DepositSuggestion)
      .max(MOST_LIKELY)
      .describe('Those that are likely enough, the likeliest first; where none is, the likeliest of all.'),
    created_at: timestamp(),
  })
  .meta({ id: 'DepositMatch' });

export type DepositMatch = z.output<typeof DepositMatch>;
