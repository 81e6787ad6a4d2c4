import { z } from 'zod';
import { addFault, freeText, id } from '../../kernel/schema.ts';
import { accountCode } from '../accounts/record.ts';
import { taxCategory } from '../tax/category-field.ts';

/** Yen that a line may have: twelve digits. */
const MOST = 999_999_999_999;

const amount = () =>
  z
    .int()
    .min(0)
    .max(MOST)
    .meta({ examples: [11_000] });

/** A line as a request sends it: on one account, on one side. */
export const LineInput = z
  .strictObject({
    account_id: id('acc').optional(),
    account_code: accountCode().describe('In place of `account_id`.').optional(),
    debit: amount().optional(),
    credit: amount().optional(),
    tax_category: taxCategory().describe("The account's unless said.").optional(),
    auto_tax: z
      .boolean()
      .describe(
        'true takes the amount as one with consumption tax, and splits the tax off into the next line.',
      )
      .optional(),
    company_id: id('comp').nullable().optional(),
    department_id: freeText(100)
      .nullable()
      .meta({ examples: [null] })
      .optional(),
    description: freeText(500).nullable().optional(),
  })
  .superRefine(({ account_id, account_code, debit = 0, credit = 0 }, issues) => {
    if ((account_id === undefined) === (account_code === undefined)) {
      addFault(issues, 'account_id', account_id === undefined ? 'required' : 'not_both', {
        en: 'or account_code is required, one of both',
        ja: 'と account_code のどちらか一方を指定してください',
      });
    }
    if (debit > 0 && credit > 0) {
      addFault(issues, 'credit', 'invalid_value', {
        en: 'must be 0 where debit is more than 0',
        ja: 'は、debit が1以上のとき0にしてください',
      });
    }
    if (debit === 0 && credit === 0) {
      addFault(issues, 'debit', 'invalid_value', {
        en: 'or credit must be 1 or more',
        ja: 'と credit のどちらか一方を1以上にしてください',
      });
    }
  })
  .meta({ id: 'JournalLineInput' });

export type LineInput = z.output<typeof LineInput>;
