import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { day, id, text, timestamp } from '../../kernel/schema.ts';

const fields = {
  name: text(100)
    .describe('`FY` and the year of the start unless said.')
    .meta({ examples: ['FY2026'] }),
  start_date: day().meta({ examples: ['2026-04-01'] }),
  end_date: day()
    .describe('At most 18 months after the start (会社計算規則 art. 59(2)).')
    .meta({ examples: ['2027-03-31'] }),
  tax_books: z
    .enum(['exclusive', 'inclusive'])
    .describe('Whether the books hold amounts without consumption tax, or with it.'),
  tax_rounding: z.enum(['floor', 'round', 'ceil']).describe('How `auto_tax` rounds.'),
};

/** A fiscal year, as the API shows one. */
export const FiscalYear = z
  .strictObject({
    id: id('fy'),
    object: z.literal('accounting.fiscal_year'),
    ...fields,
    status: z.enum(['open', 'closed']),
    closing_journal_id: id('je')
      .nullable()
      .describe('The entry that took its profit to equity, once it is closed.'),
    closed_at: timestamp().nullable(),
    closed_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'FiscalYear' });

export type FiscalYear = z.output<typeof FiscalYear>;

const sent = z.strictObject(fields).partial();

/** What a new fiscal year is made from. */
export const FiscalYearInput = sent
  .required({ start_date: true, end_date: true })
  .meta({ id: 'FiscalYearInput' });

export type FiscalYearInput = z.output<typeof FiscalYearInput>;

/** What a change of a fiscal year may hold. */
export const FiscalYearPatch = sent.meta({ id: 'FiscalYearPatch' });

export type FiscalYearPatch = z.output<typeof FiscalYearPatch>;

export class FiscalYearModel extends TenantModel {
  static override tableName = 'accounting_fiscal_years';
}

export const fiscalYearFacts = factsOf({ domain: 'accounting', entity_type: 'fiscal_year' });
