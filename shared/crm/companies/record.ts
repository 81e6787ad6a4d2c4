import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { type EventType, factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, email, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { isCorporateNumber, REGISTRATION_NUMBER, Warning } from '../corporate-number.ts';
import { CustomFieldChanges, CustomFieldValues } from '../custom-fields/values.ts';
import { ShownAmount } from '../deal-amount.ts';
import { PaymentTerms } from '../payment-terms.ts';
import { TagLabel } from '../tags/record.ts';
import { companyName } from './names.ts';

const fields = {
  name: companyName(),
  name_kana: text(200)
    .nullable()
    .meta({ examples: ['ヤマダショウテン'] }),
  corporate_number: z
    .string()
    .regex(/^\d{13}$/, {
      error: says({ en: 'must be 13 digits', ja: 'は13桁の数字で入力してください' }),
      abort: true,
    })
    .refine(isCorporateNumber, {
      params: { code: 'check_digit' },
      error: says({
        en: 'must have the check digit that belongs to its other digits',
        ja: 'の検査数字が合いません',
      }),
    })
    .nullable()
    .meta({ examples: ['7000012050002'] }),
  invoice_registration_number: z
    .string()
    .regex(
      REGISTRATION_NUMBER,
      says({ en: 'must be T and 13 digits', ja: 'はTと13桁の数字で入力してください' }),
    )
    .nullable()
    .meta({ examples: ['T7000012050002'] }),
  domain: z
    .string()
    .trim()
    .max(253)
    .regex(
      /^[^\s.:/@\0]+(\.[^\s.:/@\0]+)+$/,
      says({
        en: 'must be a domain name, for example example.co.jp',
        ja: 'は example.co.jp のようなドメイン名で入力してください',
      }),
    )
    .nullable()
    .meta({ examples: ['example.co.jp'] }),
  website: z
    .url({
      protocol: /^https?$/,
      error: says({
        en: 'must be a URL that begins with http:// or https://',
        ja: 'は http:// または https:// で始まるURLで入力してください',
      }),
    })
    .max(2000)
    .nullable()
    .meta({ examples: ['https://www.example.co.jp/'] }),
  phone: text(50)
    .nullable()
    .meta({ examples: ['03-1234-5678'] }),
  fax: text(50)
    .nullable()
    .meta({ examples: ['03-1234-5679'] }),
  email: email().nullable(),
  postal_code: z
    .string()
    .regex(
      /^\d{3}-\d{4}$/,
      says({ en: 'must be of the form 100-0001', ja: 'は 100-0001 の形式で入力してください' }),
    )
    .nullable()
    .meta({ examples: ['100-0001'] }),
  prefecture: text(50)
    .nullable()
    .meta({ examples: ['東京都'] }),
  city: text(100)
    .nullable()
    .meta({ examples: ['千代田区'] }),
  address_line: text(200)
    .nullable()
    .meta({ examples: ['千代田1-1'] }),
  building: text(200)
    .nullable()
    .meta({ examples: ['山田ビル5階'] }),
  industry: text(100)
    .nullable()
    .meta({ examples: ['卸売業'] }),
  employee_count: z
    .int()
    .min(0)
    .max(100_000_000)
    .nullable()
    .meta({ examples: [120] }),
  capital: z
    .int()
    .min(0)
    .max(999_999_999_999_999)
    .nullable()
    .describe('Yen.')
    .meta({ examples: [10_000_000] }),
  fiscal_month: z
    .int()
    .min(1)
    .max(12)
    .nullable()
    .describe('The month in which the fiscal year ends.')
    .meta({ examples: [3] }),
  payment_terms: PaymentTerms.nullable(),
  honorific: z.enum(['御中', '様', '']).describe('What follows the name in letters; 御中 unless said.'),
  owner_id: id('usr').nullable().describe('The member in charge; the acting user unless said.'),
  parent_id: id('comp').nullable().describe('The company that this one belongs to.'),
  note: freeText(10_000)
    .nullable()
    .meta({ examples: ['月初に訪問'] }),
};

/** What each field that a company keeps as it is written may hold. */
export const companySchemas = fields;

/** The fields that callers write, in the order in which they are shown. */
export const companyFields = [
  ...(Object.keys(fields) as (keyof typeof fields)[]),
  'external_id',
  'custom_fields',
  'metadata',
] as const;

/** A company, as the API shows one. */
export const Company = z
  .strictObject({
    id: id('comp'),
    object: z.literal('crm.company'),
    ...fields,
    external_id: ownKeys.external_id,
    custom_fields: CustomFieldValues,
    metadata: ownKeys.metadata,
    tags: z.array(TagLabel),
    customer_since: computed(
      timestamp()
        .nullable()
        .describe(
          'When the first quotation, invoice or delivery note was made out to it; null for no customer.',
        ),
    ),
    open_deals: computed(z.int().describe('How many of its deals are open.')),
    open_amount: computed(z.int().describe('What its open deals in yen come to.')),
    open_amounts: computed(
      z.array(z.strictObject({ currency: z.string().meta({ examples: ['JPY'] }), amount: ShownAmount })),
    ),
    warnings: z
      .array(Warning)
      .describe('What is odd about the record, though it was accepted.')
      .meta({ examples: [[]] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Company' });

export type Company = z.output<typeof Company>;

const sent = z.strictObject({ ...fields, custom_fields: CustomFieldChanges, ...ownKeysInput }).partial();

/** What a new company is made from. */
export const CompanyInput = sent.required({ name: true }).meta({ id: 'CompanyInput' });

export type CompanyInput = z.output<typeof CompanyInput>;

/** What a change of a company may hold; only the fields sent change, `null` clears. */
export const CompanyPatch = sent.meta({ id: 'CompanyPatch' });

export type CompanyPatch = z.output<typeof CompanyPatch>;

/** The table; beside the API's fields it holds what search, order and the hunt for duplicates are made from. */
export class CompanyModel extends TenantModel {
  static override tableName = 'crm_companies';
  static override jsonAttributes = ['payment_terms', 'custom_fields', 'metadata', 'open_amounts'];
  static override columnTypes = {
    employee_count: 'integer',
    capital: 'bigint',
    fiscal_month: 'smallint',
    payment_terms: 'jsonb',
    open_deals: 'integer',
    open_amount: 'bigint',
    open_amounts: 'jsonb',
    search_grams: 'integer[]',
    customer_since: 'timestamptz',
    custom_fields: 'jsonb',
    metadata: 'jsonb',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  };
}

/** What companies are looked up by. */
export const companyKind = recordKind({
  table: CompanyModel.tableName,
  prefix: 'comp',
  merged_keys: ['external_id', 'corporate_number'],
  keys: {
    corporate_number: { schema: companySchemas.corporate_number.unwrap() },
    email: { schema: email(), column: 'email_key', compared: (value) => value.toLowerCase() },
  },
});

export const companyFacts = factsOf({
  domain: 'crm',
  entity_type: 'company',
  computed: computedIn(Company),
  untold: ['warnings'],
  events: {
    created: 'crm.company.created',
    updated: 'crm.company.updated',
    deleted: 'crm.company.deleted',
  },
  also: customerEvent,
});

/** A company that is a customer has the events of one beside its own; a merge can make it one. */
function customerEvent(before: object | null, after: object | null): EventType | null {
  const was = before !== null && (before as Company).customer_since !== null;
  const is = after !== null && (after as Company).customer_since !== null;
  if (is) return was ? 'customer.updated' : 'customer.created';
  return was ? 'customer.deleted' : null;
}

uniqueKey('crm_companies_external_id_once', {
  table: CompanyModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another company has this external_id',
    ja: 'この external_id はほかの取引先が使っています',
  },
  kind: companyKind,
});
uniqueKey('crm_companies_corporate_number_once', {
  table: CompanyModel.tableName,
  read_by: 'crm:read',
  columns: ['corporate_number'],
  path: '/corporate_number',
  message: {
    en: 'Another company has this corporate_number',
    ja: 'この法人番号はほかの取引先が使っています',
  },
  kind: companyKind,
});
refusesBy('crm_companies_organization_id_parent_id_fkey', () =>
  unknownReference('/parent_id', { en: 'The company', ja: '取引先' }),
);
refusesBy('crm_companies_organization_id_owner_id_fkey', () =>
  unknownReference('/owner_id', { en: 'The user', ja: 'ユーザー' }),
);
