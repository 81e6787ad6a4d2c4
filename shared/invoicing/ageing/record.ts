import { z } from 'zod';
import { day, id } from '../../kernel/schema.ts';
import { ageingBuckets } from '../documents/due.ts';

/** Yen; a sum over many documents may have more digits than a whole number of JSON is exact for. */
const yen = () => z.number().meta({ jsonSchema: { type: 'integer' }, examples: [1_100_000] });

const sums = {
  ...(Object.fromEntries(ageingBuckets.map((bucket) => [bucket, yen()])) as Record<
    (typeof ageingBuckets)[number],
    ReturnType<typeof yen>
  >),
  balance: yen(),
};

/** What companies owe, by the days since the due dates of their invoices. */
export const Ageing = z
  .strictObject({
    as_of: day().describe('Today in the time zone of the settings unless another day was asked for.'),
    rows: z
      .array(
        z.strictObject({
          company_id: id('comp'),
          name: z.string().meta({ examples: ['株式会社山田商店'] }),
          ...sums,
        }),
      )
      .describe('The companies that owe something, those that owe the most first.'),
    totals: z.strictObject(sums),
  })
  .meta({ id: 'InvoiceAgeing' });
