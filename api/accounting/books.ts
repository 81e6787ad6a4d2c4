import { z } from 'zod';
import { accountCode } from '../../shared/accounting/accounts/record.ts';
import { readGeneralLedger } from '../../shared/accounting/ledgers/general-ledger.ts';
import { generalLedgerReport } from '../../shared/accounting/ledgers/general-ledger-report.ts';
import { readJournalBook } from '../../shared/accounting/ledgers/journal-book.ts';
import { journalBookReport } from '../../shared/accounting/ledgers/journal-book-report.ts';
import { GeneralLedgerReport, JournalBookReport } from '../../shared/accounting/ledgers/record.ts';
import { askedOf, filtersOf, ledgerAccountOf } from '../../shared/accounting/reports/asked.ts';
import { inNumbers } from '../../shared/accounting/reports/numbers.ts';
import { taxCategory } from '../../shared/accounting/tax/category-field.ts';
import { inSnapshot } from '../../shared/db/snapshot.ts';
import { id, integerParameter } from '../../shared/kernel/schema.ts';
import { report } from '../http/reports.ts';
import {
  askedDaysOfBook,
  closing_entries,
  company_id,
  days,
  department_id,
  headOf,
} from './report-parameters.ts';

const PATH = '/api/v1/accounting/reports';

const RAISES = ['no_fiscal_year', 'unknown_reference', 'invalid_cursor'] as const;

const SPAN = 'The days may lie in several fiscal years.';

const narrowing = {
  company_id,
  department_id,
  tax_category: taxCategory().optional(),
  closing_entries: closing_entries.describe('`include` unless said.'),
};

/** Both books. */
export const books = [
  report({
    id: 'accounting.reports.journal_book',
    path: `${PATH}/journal-book`,
    summary: 'Journal book',
    description:
      'Posted and voided entries with their mirrors, by date and number. A filter leaves the entries that have such a ' +
      `line, whole; \`totals\` are those of such lines. ${SPAN} A file holds the whole range; \`hledger\` is a journal ` +
      'for plain text accounting.',
    report: journalBookReport,
    filters: { ...days, account_id: id('acc').optional(), ...narrowing },
    paging: {
      limit: integerParameter(1, 200).describe('50 unless said.').optional(),
      starting_after: id('je').describe('The last entry of the page before.').optional(),
    },
    reply: z.strictObject({ report: JournalBookReport }),
    raises: RAISES,
    async asked({ fiscal_year_id, from, to, closing_entries = 'include', ...filters }, reader) {
      return askedOf({
        ...(await askedDaysOfBook(reader, { fiscal_year_id, from, to })),
        ...(await filtersOf(reader, filters)),
        closing_entries,
      });
    },
    answer: {
      read: (reader, asked, _, { limit = 50, starting_after }) =>
        inSnapshot(reader, async () => {
          const { totals, ...book } = await readJournalBook(reader, asked, { limit, starting_after });
          const head = headOf('journal-book', asked, asked['from']!, asked['to']!);
          return { report: { ...head, ...book, totals: inNumbers(totals) } };
        }),
    },
  }),
  report({
    id: 'accounting.reports.general_ledger',
    path: `${PATH}/general-ledger`,
    summary: 'General ledger of an account',
    description:
      'Every posted line of an account with the balance behind it, by date, number and line; all balances are debit less ' +
      `credit. ${SPAN} A CSV file tells what was brought forward, the lines and the total apart by \`row_type\`.`,
    report: generalLedgerReport,
    filters: {
      ...days,
      account_id: id('acc').describe('Required, or `account_code`.').optional(),
      account_code: accountCode().optional(),
      ...narrowing,
    },
    paging: {
      limit: integerParameter(1, 500).describe('100 unless said.').optional(),
      starting_after: id('jel').describe('The `line_id` of the last row of the page before.').optional(),
    },
    reply: z.strictObject({ report: GeneralLedgerReport }),
    raises: RAISES,
    async asked(
      { fiscal_year_id, from, to, account_id, account_code, closing_entries = 'include', ...filters },
      reader,
    ) {
      const days = await askedDaysOfBook(reader, { fiscal_year_id, from, to });
      return askedOf({
        ...days,
        account_id: await ledgerAccountOf(reader, { account_id, account_code }),
        ...(await filtersOf(reader, filters)),
        closing_entries,
      });
    },
    answer: {
      read: (reader, asked, lang, { limit = 100, starting_after }) =>
        inSnapshot(reader, async () => {
          const ledger = await readGeneralLedger(reader, asked, lang, { limit, starting_after });
          const head = headOf('general-ledger', asked, asked['from']!, asked['to']!);
          return { report: { ...head, ...inNumbers(ledger) } };
        }),
    },
  }),
];
