import { z } from 'zod';
import { id } from '../../../kernel/schema.ts';
import { MOST_SUGGESTIONS, suggestionReasons } from './suggest.ts';

const yen = (example: number) => z.int().meta({ examples: [example] });

/** What money that came in may be for, as the API shows it. */
export const DepositSuggestion = z
  .strictObject({
    company_id: id('comp'),
    company_name: z.string().meta({ examples: ['株式会社青空商店'] }),
    allocations: z
      .array(
        z.strictObject({
          invoice_id: id('inv'),
          number: z
            .string()
            .nullable()
            .meta({ examples: ['INV-2026-0001'] }),
          amount: yen(12_080),
        }),
      )
      .describe('As `POST /deposits` takes them.'),
    fee_amount: yen(440).describe(
      'A usual fee that the payer took off; 0 where what came in is what is owed.',
    ),
    score: z
      .int()
      .min(0)
      .max(100)
      .meta({ examples: [98] }),
    reasons: z
      .array(z.enum(suggestionReasons))
      .describe(
        '`company`: the deposit is said to be of the company; `name`: the name is that of the company; `name_part`: one holds the other; `paid_before`: a deposit of this name was the company’s; `amount`, `sum`: the balance of one invoice or of up to four; `all_open`: of all that are open; `fee`: less a usual fee; `due_near`: due within a week of the day; `oldest_first`: no sum fits, so the invoices due first.',
      ),
  })
  .meta({ id: 'DepositSuggestion' });

export const DepositSuggestions = z.strictObject({
  items: z.array(DepositSuggestion).max(MOST_SUGGESTIONS).describe('The likeliest first.'),
});
