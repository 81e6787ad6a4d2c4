import { domain } from '../platform/domain.ts';
import { sameFileIn } from '../platform/evidence/same-file.ts';
import { accountingEvidence } from './documents/evidence.ts';
import { evidenceReferences } from './documents/links.ts';
import { evidenceOriginal } from './documents/source.ts';
import { journalImport } from './imports/domain.ts';
import { journalBatch } from './journals/batches.ts';
import { accountingReferences } from './journals/links.ts';
import { generalLedgerReport } from './ledgers/general-ledger-report.ts';
import { journalBookReport } from './ledgers/journal-book-report.ts';
import { balanceSheetReport } from './reports/balance-sheet-report.ts';
import { cashFlowReport } from './reports/cash-flow-report.ts';
import { consumptionTaxReport } from './reports/consumption-tax-report.ts';
import { incomeStatementReport } from './reports/income-statement-report.ts';
import { trialBalanceReport } from './reports/trial-balance-report.ts';
import { bookkeeping } from './sources/keep.ts';
import { lineWarnings } from './tax/warnings.ts';
import { verifyBooksJob } from './verify/jobs.ts';
import { accountingWords } from './words.ts';

export const accounting = domain({
  name: 'accounting',
  title: 'Accounting',
  description: 'Double-entry books: a chart of accounts, entries with approval, fiscal years and locks.',
  resources: {
    accounts: { title: 'Accounts', description: 'The chart of accounts.' },
    journals: { title: 'Entries', description: 'What was booked, from draft to posted.' },
    fiscal_years: { title: 'Fiscal years', description: 'The years of the books.' },
    period_locks: { title: 'Period locks', description: 'Days on which no entry changes.' },
    documents: { title: 'Evidence', description: 'Originals with their hashes, linked to entries.' },
    reports: { title: 'Reports', description: 'What the books say, as JSON, CSV and PDF.' },
    tax_categories: { title: 'Tax categories', description: 'What consumption tax takes a line for.' },
    settings: {
      title: 'Settings of accounting',
      description: 'Approval, and which accounts entries are made with.',
    },
  },
  file_words: {
    合計残高試算表: 'trial_balance',
    貸借対照表: 'balance_sheet',
    損益計算書: 'income_statement',
    'キャッシュ・フロー計算書': 'statement_of_cash_flows',
    消費税集計表: 'consumption_tax',
    仕訳帳: 'journal_book',
    総勘定元帳: 'general_ledger',
    証憑: 'evidence',
  },
  reports: [
    trialBalanceReport,
    balanceSheetReport,
    incomeStatementReport,
    cashFlowReport,
    consumptionTaxReport,
    journalBookReport,
    generalLedgerReport,
  ],
  references: [...accountingReferences, ...evidenceReferences],
  words: accountingWords,
  warnings: [...lineWarnings, sameFileIn],
  batches: [journalBatch],
  imports: [journalImport],
  bookkeeping,
  evidence: accountingEvidence,
  file_sources: [evidenceOriginal],
  jobs: [verifyBooksJob],
  member: 'read',
  guides: ['books-in-ten-minutes', 'import-journals', 'closing-a-year', 'evidence'],
  records: { ja: '勘定科目・仕訳・会計年度', en: 'accounts, entries and fiscal years' },
  audit_log: { path: '/api/v1/accounting/audit-logs', about: 'accounting' },
});
