import { z } from 'zod';
import { askedOf, filtersOf, reportCalendar } from '../../shared/accounting/reports/asked.ts';
import {
  balanceSheetReport,
  readBalanceSheet,
} from '../../shared/accounting/reports/balance-sheet-report.ts';
import { cashFlowReport, readCashFlow } from '../../shared/accounting/reports/cash-flow-report.ts';
import {
  consumptionTaxReport,
  readConsumptionTax,
} from '../../shared/accounting/reports/consumption-tax-report.ts';
import {
  incomeStatementReport,
  readIncomeStatement,
} from '../../shared/accounting/reports/income-statement-report.ts';
import { inNumbers } from '../../shared/accounting/reports/numbers.ts';
import { dayInYear, previousPeriod } from '../../shared/accounting/reports/period.ts';
import {
  BalanceSheetReport,
  CashFlowReport,
  ConsumptionTaxReport,
  IncomeStatementReport,
  TrialBalanceReport,
} from '../../shared/accounting/reports/record.ts';
import { adjustingChoices } from '../../shared/accounting/reports/trial-balance.ts';
import {
  readTrialBalance,
  trialBalanceReport,
} from '../../shared/accounting/reports/trial-balance-report.ts';
import { taxCategory } from '../../shared/accounting/tax/category-field.ts';
import { booleanParameter, day, id } from '../../shared/kernel/schema.ts';
import { report } from '../http/reports.ts';
import {
  askedDays,
  closing_entries,
  company_id,
  compare,
  days,
  department_id,
  headOf,
  interval,
  RAISES,
  requireOneWay,
} from './report-parameters.ts';

const PATH = '/api/v1/accounting/reports';

const FILES = 'A CSV file has the sums too, told apart by its first columns.';

export const reports = [
  report({
    id: 'accounting.reports.trial_balance',
    path: `${PATH}/trial-balance`,
    summary: 'Trial balance',
    description: `What each account began with, moved and closed with; all signs are debit less credit. ${FILES}`,
    report: trialBalanceReport,
    filters: {
      ...days,
      account_id: id('acc').describe('This account alone.').optional(),
      company_id,
      department_id,
      adjusting: z.enum(adjustingChoices).describe('`include` unless said.').optional(),
      closing_entries,
      group_by: z.enum(['company', 'department']).optional(),
      interval,
      include_zero: booleanParameter().describe('Also accounts without figures.').optional(),
    },
    reply: z.strictObject({ report: TrialBalanceReport }),
    raises: RAISES,
    async asked(
      { fiscal_year_id, from, to, include_zero, account_id, company_id, department_id, ...choices },
      reader,
    ) {
      requireOneWay(choices);
      const filters = await filtersOf(reader, { account_id, company_id, department_id });
      return askedOf({
        ...(await askedDays(reader, { fiscal_year_id, from, to })),
        ...filters,
        adjusting: 'include',
        closing_entries: 'exclude',
        include_zero: include_zero ? 'true' : undefined,
        ...choices,
      });
    },
    answer: {
      read: async (reader, asked, lang) => {
        const made = await readTrialBalance(reader, asked, lang);
        return {
          report: { ...headOf('trial-balance', asked, asked['from']!, asked['to']!), ...inNumbers(made) },
        };
      },
    },
  }),
  report({
    id: 'accounting.reports.balance_sheet',
    path: `${PATH}/balance-sheet`,
    summary: 'Balance sheet',
    description: `What the organization has and owes on a day, by the end of the year unless said. ${FILES}`,
    report: balanceSheetReport,
    filters: {
      fiscal_year_id: days.fiscal_year_id,
      as_of: day()
        .meta({ examples: ['2026-12-31'] })
        .optional(),
      closing_entries,
      compare,
      interval,
    },
    reply: z.strictObject({ report: BalanceSheetReport }),
    raises: RAISES,
    async asked({ fiscal_year_id, as_of, closing_entries = 'exclude', compare, interval }, reader) {
      const { years, today } = await reportCalendar(reader);
      const { year, as_of: at } = dayInYear(years, { fiscal_year_id, as_of }, today);
      const period = { year, from: year.start_date, to: at };
      const previous = compare ? previousPeriod(years, period) : null;
      return askedOf({
        fiscal_year_id: year.id,
        year_start: year.start_date,
        as_of: at,
        closing_entries,
        compare,
        interval,
        previous_start: previous?.from,
        previous_as_of: previous?.to,
      });
    },
    answer: {
      read: async (reader, asked, lang) => {
        const made = inNumbers(await readBalanceSheet(reader, asked, lang));
        const { as_of = '', year_start = '' } = asked;
        return { report: { ...headOf('balance-sheet', asked, year_start, as_of), as_of, ...made } };
      },
    },
  }),
  report({
    id: 'accounting.reports.income_statement',
    path: `${PATH}/income-statement`,
    summary: 'Income statement',
    description: `What was earned, from sales to the net income. Closing entries never count. ${FILES}`,
    report: incomeStatementReport,
    filters: { ...days, department_id, compare, interval, group_by: z.enum(['department']).optional() },
    reply: z.strictObject({ report: IncomeStatementReport }),
    raises: RAISES,
    async asked({ fiscal_year_id, from, to, department_id, compare, interval, group_by }, reader) {
      requireOneWay({ group_by, interval });
      const filters = await filtersOf(reader, { department_id });
      return askedOf({
        ...(await askedDays(reader, { fiscal_year_id, from, to }, compare)),
        ...filters,
        interval,
        group_by,
      });
    },
    answer: {
      read: async (reader, asked, lang) => {
        const made = inNumbers(await readIncomeStatement(reader, asked, lang));
        return { report: { ...headOf('income-statement', asked, asked['from']!, asked['to']!), ...made } };
      },
    },
  }),
  report({
    id: 'accounting.reports.cash_flow_statement',
    path: `${PATH}/cash-flow-statement`,
    summary: 'Statement of cash flows',
    description: `By the indirect method; the totals always add up to the change of cash. ${FILES}`,
    report: cashFlowReport,
    filters: days,
    reply: z.strictObject({ report: CashFlowReport }),
    raises: RAISES,
    asked: async (days, reader) => askedOf(await askedDays(reader, days)),
    answer: {
      read: async (reader, asked, lang) => {
        const made = inNumbers(await readCashFlow(reader, asked, lang));
        return { report: { ...headOf('cash-flow-statement', asked, asked['from']!, asked['to']!), ...made } };
      },
    },
  }),
  report({
    id: 'accounting.reports.consumption_tax',
    path: `${PATH}/consumption-tax`,
    summary: 'Consumption tax by category',
    description: 'What was sold and bought in each category, and the tax on it; signs are debit less credit.',
    report: consumptionTaxReport,
    filters: { ...days, tax_category: taxCategory().optional() },
    reply: z.strictObject({ report: ConsumptionTaxReport }),
    raises: RAISES,
    async asked({ tax_category, ...days }, reader) {
      return askedOf({ ...(await askedDays(reader, days)), tax_category });
    },
    answer: {
      read: async (reader, asked, lang) => {
        const made = inNumbers(await readConsumptionTax(reader, asked, lang));
        return { report: { ...headOf('consumption-tax', asked, asked['from']!, asked['to']!), ...made } };
      },
    },
  }),
];
