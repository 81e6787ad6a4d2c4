import fc from 'fast-check';
import type { ReportAccount, Spans } from '../../../../shared/accounting/reports/figures.ts';
import { chart, type Entry, figuresOf, type Posting, subAccount } from './ledger.ts';

/** The chart with sub-accounts: three levels of one, and one in another section than the account above it. */
export const accounts: readonly ReportAccount[] = [...chart, ...subAccounts()];

/** The year that reports are made of; books begin two years before it. */
export const year = { from: '2025-01-01', to: '2025-12-31' };

const days = fc
  .tuple(
    fc.integer({ min: 2023, max: 2025 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([of, month, day]) => `${of}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);

const onBalanceSheet = accounts.filter(({ account_type }) => !['revenue', 'expense'].includes(account_type));

/** Postings that balance: what the amounts lack stands on the last account. */
function postings(of: readonly ReportAccount[]): fc.Arbitrary<Posting[]> {
  const codes = of.map(({ code }) => code);
  const posting = fc.record({
    code: fc.constantFrom(...codes),
    amount: fc
      .bigInt({ min: -999_999_999_999n, max: 999_999_999_999n })
      .map((amount) => (amount === 0n ? 1n : amount)),
  });
  return fc
    .tuple(
      fc.array(posting, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...codes),
      fc.constantFrom('comp_1', 'comp_2', null),
    )
    .map(([first, last, company_id]) => {
      const lacking = -first.reduce((sum, { amount }) => sum + amount, 0n);
      const all = lacking === 0n ? first : [...first, { code: last, amount: lacking }];
      return all.map((each) => ({ ...each, company_id }));
    });
}

const entries: fc.Arbitrary<Entry> = fc.record({
  date: days,
  group: fc.constantFrom('normal', 'normal', 'adjusting'),
  postings: postings(accounts),
});

const openings: fc.Arbitrary<Entry> = fc.record({
  date: fc.constantFrom('2023-01-01', '2025-01-01'),
  group: fc.constant('opening' as const),
  postings: postings(onBalanceSheet),
});

/** Books that balance, of up to three years that nobody closed. */
export const books: fc.Arbitrary<Entry[]> = fc
  .tuple(fc.array(openings, { maxLength: 2 }), fc.array(entries, { maxLength: 30 }))
  .map(([first, rest]) => [...first, ...rest]);

/** The months of the year. */
export const monthsOfYear: readonly { key: string; from: string; to: string }[] = Array.from(
  { length: 12 },
  (_, at) => {
    const key = `2025-${String(at + 1).padStart(2, '0')}`;
    return { key, from: `${key}-01`, to: `${key}-31` };
  },
);

/** The figures around a range of the year. */
export function spansOf(book: readonly Entry[], { from, to } = year, company_id?: string | null): Spans {
  const of = company_id === undefined ? {} : { company_id };
  return {
    earlier: figuresOf(book, { ...of, to: '2024-12-31' }),
    before: figuresOf(
      book.filter(({ date }) => date < from),
      { ...of, from: year.from },
    ),
    range: figuresOf(book, { ...of, from, to }),
  };
}

function subAccounts(): ReportAccount[] {
  const below = subAccount('1140-1', '1140');
  const lower = subAccount('1140-1-1', '1140-1', [below]);
  const sales = subAccount('4110-A', '4110');
  const elsewhere: ReportAccount = {
    ...subAccount('1220-L', '1220'),
    section: 'investments',
    cf_class: 'invest_other',
  };
  return [below, lower, sales, elsewhere];
}
