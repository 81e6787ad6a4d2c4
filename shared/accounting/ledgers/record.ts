import { z } from 'zod';
import { day, id } from '../../kernel/schema.ts';
import { accountTypes } from '../accounts/kinds.ts';
import { accountCode } from '../accounts/record.ts';
import { journalKinds } from '../journals/kinds.ts';
import { Journal } from '../journals/record.ts';
import { reportOf } from '../reports/record.ts';
import { taxCategory } from '../tax/category-field.ts';

/** Yen; sums of many lines may be more than a whole number of other fields. */
const yen = (example = 1_100_000) =>
  z.number().meta({ jsonSchema: { type: 'integer' }, examples: [example] });

const has_more = z
  .boolean()
  .describe('Whether more follow: send the ID of the last one as `starting_after`.');

export const JournalBookReport = reportOf('journal-book', 'JournalBookReport', {
  entries: z.array(Journal).describe('Posted and voided entries, with their mirrors, by date and number.'),
  totals: z
    .strictObject({ debit: yen(), credit: yen() })
    .describe('Of all lines in the range that the filters leave, not of this page alone.'),
  has_more,
});

const description = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

const Company = z.strictObject({
  id: id('comp'),
  name: z.string().meta({ examples: ['株式会社山田商店'] }),
});

const Department = z.strictObject({
  id: z.string().meta({ examples: ['dep_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  name: z.string().meta({ examples: ['営業部'] }),
});

export const GeneralLedgerReport = reportOf('general-ledger', 'GeneralLedgerReport', {
  account: z.strictObject({
    id: id('acc'),
    code: accountCode(),
    name: z.string().meta({ examples: ['普通預金'] }),
    account_type: z.enum(accountTypes),
  }),
  brought_forward: yen(3_000_000).describe(
    'The balance before `from`: of all days, or of those since the start of its fiscal year for revenue and expense.',
  ),
  opening: yen(3_000_000).describe('`brought_forward` with the opening entries of the range.'),
  debit: yen(),
  credit: yen(0),
  closing: yen(4_100_000),
  rows: z
    .array(
      z.strictObject({
        line_id: id('jel'),
        journal_id: id('je'),
        number: z.int().meta({ examples: [12] }),
        date: day(),
        kind: z.enum(journalKinds),
        description: description('4月分家賃').describe('Of the entry.'),
        line_description: description('本社'),
        counter_account: z
          .strictObject({
            account_id: id('acc').nullable(),
            code: accountCode().nullable(),
            name: z.string().meta({ examples: ['売掛金'] }),
          })
          .describe(
            'The account on the other side; where there are several, `account_id` is null, the name 諸口.',
          ),
        company: Company.nullable().describe('The one that it was merged into, where it was.'),
        department: Department.nullable(),
        tax_category: taxCategory(),
        debit: z.int().meta({ examples: [1_100_000] }),
        credit: z.int().meta({ examples: [0] }),
        balance: yen(4_100_000).describe(
          'What was brought forward and every row so far. In a range over several years it runs on over their ends, where no closing entry takes it to zero.',
        ),
        days_late: z.int().describe('Days from its date to the day of its posting.'),
        document_ids: z.array(id('adoc')).describe('The evidence of its entry.'),
      }),
    )
    .describe('One a line, by date, number and line.'),
  has_more,
});
