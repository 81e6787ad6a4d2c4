import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { taxCategory } from '../tax/category-field.ts';
import { accountTypes, cashFlowAdjustments, cashFlowClasses, sectionNames } from './kinds.ts';

/** What an account is called by in entries and files. */
export function accountCode() {
  return z
    .string()
    .regex(
      /^[0-9A-Za-z-]{1,20}$/,
      says({
        en: 'must be 1 to 20 digits, letters and hyphens',
        ja: 'は半角の英数字とハイフン20文字以内で入力してください',
      }),
    )
    .meta({ examples: ['1140'] });
}

const fields = {
  code: accountCode().describe('Unique in the organization.'),
  name: text(100).meta({ examples: ['普通預金'] }),
  name_en: text(100)
    .nullable()
    .meta({ examples: ['Ordinary deposit'] }),
  account_type: z.enum(accountTypes),
  section: z.enum(sectionNames).describe('Where the statements show it; of the same type.'),
  cf_class: z
    .enum(cashFlowClasses)
    .describe('What its movements are in the statement of cash flows; that of its section unless said.'),
  cf_adjustment: z
    .enum(cashFlowAdjustments)
    .nullable()
    .describe('What of the profit the statement of cash flows shows elsewhere; for revenue and expense.'),
  parent_id: id('acc')
    .nullable()
    .describe('The account that it is a part of: of the same type, four levels deep at most.'),
  description: freeText(1_000)
    .nullable()
    .meta({ examples: ['給与振込用の口座'] }),
  tax_category: taxCategory().describe('The category of lines that name none.'),
  is_active: z.boolean().describe('Whether new lines may name it.'),
};

/** An account of the chart, as the API shows it. */
export const Account = z
  .strictObject({
    id: id('acc'),
    object: z.literal('accounting.account'),
    ...fields,
    normal_side: z.enum(['debit', 'credit']).describe('The side on which it grows.'),
    has_lines: computed(z.boolean()).describe('Whether entries name it.'),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Account' });

export type Account = z.output<typeof Account>;

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

/** What a new account is made from. */
export const AccountInput = sent
  .required({ code: true, name: true, account_type: true })
  .meta({ id: 'AccountInput' });

export type AccountInput = z.output<typeof AccountInput>;

/** What a change of an account may hold. */
export const AccountPatch = sent.meta({ id: 'AccountPatch' });

export type AccountPatch = z.output<typeof AccountPatch>;

export class AccountModel extends TenantModel {
  static override tableName = 'accounting_accounts';
  static override jsonAttributes = ['metadata'];
}

/** What accounts are looked up by. */
export const accountKind = recordKind({
  table: AccountModel.tableName,
  prefix: 'acc',
  keys: { code: { schema: accountCode() } },
});

export const accountFacts = factsOf({
  domain: 'accounting',
  entity_type: 'account',
  computed: computedIn(Account),
  untold: ['normal_side'],
});

export const CODE_ONCE = 'accounting_accounts_code_once';

uniqueKey(CODE_ONCE, {
  table: AccountModel.tableName,
  read_by: 'accounting:read',
  columns: ['code'],
  path: '/code',
  message: { en: 'Another account has this code', ja: 'このコードはほかの勘定科目が使っています' },
});
uniqueKey('accounting_accounts_external_id_once', {
  table: AccountModel.tableName,
  read_by: 'accounting:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another account has this external_id',
    ja: 'この external_id はほかの勘定科目が使っています',
  },
});
refusesBy('accounting_accounts_organization_id_parent_id_fkey', () =>
  unknownReference('/parent_id', { en: 'The account', ja: '勘定科目' }),
);
