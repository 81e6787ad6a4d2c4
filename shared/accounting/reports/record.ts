import { z } from 'zod';
import { day, id } from '../../kernel/schema.ts';
import { accountTypes, sectionNames } from '../accounts/kinds.ts';
import { accountCode } from '../accounts/record.ts';
import { stages } from './income-statement.ts';

/** Yen; sums of many lines may be more than a whole number of other fields. */
const yen = (example = 1_100_000) =>
  z.number().meta({ jsonSchema: { type: 'integer' }, examples: [example] });

/** What every report begins with. */
const head = {
  object: z.literal('accounting.report'),
  fiscal_year_id: id('fy')
    .nullable()
    .describe('The year that holds all days; null where they lie in several.'),
  from: day(),
  to: day().meta({ examples: ['2026-12-31'] }),
  filters: z
    .record(z.string(), z.string())
    .describe('What was asked for beside the days, and the choices that were made where nothing was said.')
    .meta({ examples: [{ closing_entries: 'exclude' }] }),
  books_revision: z
    .int()
    .describe('Changes with every posting.')
    .meta({ examples: [1_284] }),
};

/** A kind of report with its own parts. */
export function reportOf<const Kind extends string, Parts extends z.ZodRawShape>(
  kind: Kind,
  name: string,
  parts: Parts,
) {
  const { object, ...rest } = head;
  return z.strictObject({ object, kind: z.literal(kind), ...rest, ...parts }).meta({ id: name });
}

const four = {
  opening: yen(0).describe('Debit less credit before the range, with opening entries in it.'),
  debit: yen(),
  credit: yen(0),
  closing: yen(),
};

const name = (example = '普通預金') => z.string().meta({ examples: [example] });

const monthKey = () => z.string().meta({ examples: ['2026-04'] });

const breakdown = {
  breakdown: z
    .array(
      z.strictObject({
        id: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
        name: name('指定なし'),
        ...four,
      }),
    )
    .optional()
    .describe('With `group_by`: one for each company or department that has figures; `id` null for none.'),
  months: z
    .array(z.strictObject({ key: monthKey(), debit: yen(), credit: yen(0), closing: yen() }))
    .optional()
    .describe('With `interval=month`.'),
};

export const TrialBalanceReport = reportOf('trial-balance', 'TrialBalanceReport', {
  rows: z
    .array(
      z.strictObject({
        account_id: id('acc').nullable().describe('null for what earlier years earned and nobody closed.'),
        code: accountCode().nullable(),
        name: name(),
        account_type: z.enum(accountTypes).nullable(),
        section: z.enum(sectionNames).nullable(),
        parent_id: id('acc').nullable(),
        ...four,
        with_children: z
          .strictObject(four)
          .optional()
          .describe('Of accounts that have others below: their figures with those.'),
        ...breakdown,
      }),
    )
    .describe('By code.'),
  sections: z.array(
    z.strictObject({
      section: z.enum(sectionNames),
      account_type: z.enum(accountTypes),
      name: name('現金及び預金'),
      ...four,
      ...breakdown,
    }),
  ),
  totals: z.strictObject({ ...four, ...breakdown }),
  balanced: z.boolean(),
});

const lines = {
  lines: z
    .array(
      z.strictObject({
        key: z
          .string()
          .describe('The section, the total, or the code of the account.')
          .meta({ examples: ['1140'] }),
        line_type: z.enum(['account', 'section', 'total']),
        level: z
          .int()
          .describe('Totals 0, sections 1, accounts 2, sub-accounts 3 and more.')
          .meta({ examples: [2] }),
        account_id: id('acc').nullable(),
        code: accountCode().nullable(),
        name: name(),
        amount: yen().describe('Natural: what an account of its type has more of is positive.'),
        previous: yen(900_000).nullable().describe('A year earlier, with `compare=previous_year`.'),
        amounts: z
          .array(z.number())
          .describe('One a column.')
          .meta({ examples: [[400_000, 700_000]] }),
      }),
    )
    .describe('In print order; accounts without figures are left out.'),
};

const columns = {
  columns: z.array(z.strictObject({ key: monthKey(), name: name('2026-04') })),
};

export const BalanceSheetReport = reportOf('balance-sheet', 'BalanceSheetReport', {
  as_of: day(),
  ...lines,
  ...columns,
  totals: z.strictObject({
    assets: yen(),
    liabilities: yen(),
    equity: yen().describe('The accounts of equity alone.'),
    current_earnings: yen(),
    unclosed_earnings: yen(0),
    liabilities_and_equity: yen(),
  }),
  balanced: z.boolean(),
});

export const IncomeStatementReport = reportOf('income-statement', 'IncomeStatementReport', {
  ...lines,
  ...columns,
  stages: z.strictObject(
    Object.fromEntries(Object.keys(stages).map((stage) => [stage, yen()])) as Record<
      keyof typeof stages,
      ReturnType<typeof yen>
    >,
  ),
});

export const CashFlowReport = reportOf('cash-flow-statement', 'CashFlowReport', {
  ...lines,
  change: yen(),
  opening_cash: yen(),
  closing_cash: yen(),
  balanced: z.boolean().describe('Whether the three totals add up to the change of cash.'),
});

export const ConsumptionTaxReport = reportOf('consumption-tax', 'ConsumptionTaxReport', {
  rows: z
    .array(
      z.strictObject({
        tax_category: z.string().meta({ examples: ['S10'] }),
        name: name('課税売上10%'),
        net: yen().describe('Debit less credit on other accounts than the two of the tax.'),
        tax: yen(100_000).describe('Debit less credit on the two accounts of the tax.'),
        accounts: z.array(
          z.strictObject({
            code: accountCode(),
            name: name(),
            debit: yen(0),
            credit: yen(),
            balance: yen(-1_100_000),
          }),
        ),
      }),
    )
    .describe('Categories that have figures; `O` where it is asked for.'),
});
