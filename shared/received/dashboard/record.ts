import { z } from 'zod';
import { ageingBuckets } from '../../invoicing/documents/due.ts';
import { day, id } from '../../kernel/schema.ts';

/** Yen; a sum over many documents may have more digits than a whole number of JSON is exact for. */
const yen = () => z.number().meta({ jsonSchema: { type: 'integer' }, examples: [1_100_000] });

const count = () => z.int().meta({ examples: [3] });

/** How many documents, and what they come to. */
const Figure = z.strictObject({ count: count(), amount: yen() }).meta({ id: 'ReceivedFigure' });

export type Figure = z.output<typeof Figure>;

/** What suppliers have invoiced, what of it is to be paid and when. */
export const ReceivedDashboard = z
  .strictObject({
    from: day().nullable().describe('The first day of issue; null where none was asked for.'),
    to: day().nullable(),
    pending: Figure.describe('Those that wait for a decision, by total.'),
    unpaid: Figure.describe('Approved and not settled, by balance.'),
    due_soon: Figure.describe('Of the unpaid ones those due from today to the seventh day from now.'),
    overdue: Figure.describe('Of the unpaid ones those past their due date.'),
    paid: Figure.describe('Settled on a day of the period, by total.'),
    next_due_date: day().nullable().describe('The first due date of unpaid ones from today on.'),
    ageing: z
      .array(z.strictObject({ bucket: z.enum(ageingBuckets), count: count(), amount: yen() }))
      .describe('The unpaid ones by the days since their due date, by balance.'),
    months: z
      .array(
        z.strictObject({
          month: z.string().meta({ examples: ['2026-04'] }),
          received: yen().describe('Invoices of the month that were approved, by total.'),
          paid: yen().describe('Payments of the month by amount, of whatever invoice.'),
        }),
      )
      .describe('The twelve months that end with that of `to`, else with the present one.'),
    top_companies: z
      .array(
        z.strictObject({
          company_id: id('comp'),
          name: z.string().meta({ examples: ['株式会社港文具'] }),
          count: count(),
          balance: yen(),
        }),
      )
      .describe('The ten companies that are owed the most, of the unpaid ones.'),
    non_registered: yen().describe('What approved invoices come to that are not qualified, by total.'),
    non_deductible_tax: yen().describe('The tax of approved invoices that may not be deducted.'),
  })
  .meta({ id: 'ReceivedInvoiceDashboard' });

export type ReceivedDashboard = z.output<typeof ReceivedDashboard>;
