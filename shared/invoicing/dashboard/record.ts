import { z } from 'zod';
import { day, id } from '../../kernel/schema.ts';
import { ageingBuckets } from '../documents/due.ts';

/** Yen; a sum over many documents may have more digits than a whole number of JSON is exact for. */
const yen = () => z.number().meta({ jsonSchema: { type: 'integer' }, examples: [1_100_000] });

const count = () => z.int().meta({ examples: [3] });

/** How many documents, and what they come to. */
const Figure = z.strictObject({ count: count(), amount: yen() }).meta({ id: 'DashboardFigure' });

export type Figure = z.output<typeof Figure>;

const byTotal = (status: string) => Figure.describe(`Those that are ${status}, by total.`);

/** What an organization has invoiced, what of it is paid, and what is late. */
export const Dashboard = z
  .strictObject({
    from: day().nullable().describe('The first day of issue; null: since ever.'),
    to: day().nullable().describe('The last day of issue; null: for ever.'),
    as_of: day().describe(
      'The day of what is outstanding, overdue, due soon, of the ageing and the top companies.',
    ),
    draft: byTotal('drafts'),
    approved: byTotal('approved and not sent'),
    outstanding: Figure.describe('Issued, with a balance above 0, by balance.'),
    overdue: Figure.describe('Of the outstanding ones those past their due date, by balance.'),
    due_soon: Figure.describe('Of the outstanding ones those due from `as_of` to the seventh day after it.'),
    paid: byTotal('paid'),
    cancelled: byTotal('cancelled'),
    ageing: z
      .array(z.strictObject({ bucket: z.enum(ageingBuckets), count: count(), amount: yen() }))
      .describe('The outstanding ones by the days since their due date, by balance.'),
    months: z
      .array(
        z.strictObject({
          month: z.string().meta({ examples: ['2026-04'] }),
          issued: yen().describe('Invoices of the month by total, without drafts and cancelled ones.'),
          collected: yen().describe('Payments of the month by amount, of whatever invoice.'),
        }),
      )
      .describe('The twelve months that end with that of `to`, else of `as_of`.'),
    average_days_to_pay: z
      .number()
      .nullable()
      .describe('From the day of issue to the last payment, of the paid ones; one decimal.')
      .meta({ examples: [31.5] }),
    top_companies: z
      .array(
        z.strictObject({
          company_id: id('comp'),
          name: z.string().meta({ examples: ['株式会社山田商店'] }),
          count: count(),
          balance: yen(),
        }),
      )
      .describe('The ten companies that owe the most, of the outstanding ones.'),
    quotations: z.strictObject({
      open: Figure.describe('Sent and not answered, by total.'),
      won: Figure.describe('Accepted, by total.'),
    }),
  })
  .meta({ id: 'InvoiceDashboard' });

export type Dashboard = z.output<typeof Dashboard>;
