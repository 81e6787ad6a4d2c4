import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { isCurrency } from '../../kernel/money.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, day, decimalInput, id, isDecimal, text, timestamp } from '../../kernel/schema.ts';
import { CustomFieldChanges, CustomFieldValues } from '../custom-fields/values.ts';
import { ShownAmount } from '../deal-amount.ts';
import { stageTypes } from '../stage-types.ts';
import { TagLabel } from '../tags/record.ts';

/** Amounts are below ten trillion, so that the yen of a company's deals stay whole numbers that JSON carries. */
const AMOUNT = /^\d{1,13}(\.\d+)?$/;

const fields = {
  name: text(200).meta({ examples: ['基幹システム更新'] }),
  pipeline_id: id('pipe').describe('The default pipeline, unless said.'),
  stage_id: id('pstage').describe("The pipeline's first open stage, unless said."),
  currency: z
    .string()
    .refine(isCurrency, {
      params: { code: 'unknown_currency' },
      error: says({
        en: 'must be the three letters of a currency by ISO 4217',
        ja: 'はISO 4217の3文字の通貨コードで入力してください',
      }),
    })
    .meta({ examples: ['JPY'] }),
  expected_close_date: day().nullable(),
  owner_id: id('usr').nullable().describe('The member in charge; the acting user unless said.'),
  company_id: id('comp').nullable(),
  contact_ids: z.array(id('cont')).max(100),
  lost_reason: text(1000)
    .nullable()
    .describe('Why it was lost; needed to move it to a lost stage.')
    .meta({ examples: ['予算が取れなかった'] }),
  source: text(100)
    .nullable()
    .describe('Where it came from.')
    .meta({ examples: ['展示会'] }),
  external_id: ownKeys.external_id,
};

const probability = () =>
  z
    .int()
    .min(0)
    .max(100)
    .meta({ examples: [80] });

const { pipeline_id, stage_id, contact_ids, lost_reason, ...plain } = fields;

/** The fields that a deal keeps as they are sent; the others follow rules of their own. */
export const plainDealFields = Object.keys(plain) as (keyof typeof plain)[];

/** A deal, as the API shows one. */
export const Deal = z
  .strictObject({
    id: id('deal'),
    object: z.literal('crm.deal'),
    ...fields,
    stage_slug: z.string().meta({ examples: ['negotiation'] }),
    status: z.enum(stageTypes).describe('The type of its stage.'),
    amount: ShownAmount,
    probability: probability().describe("The stage's, unless set on the deal."),
    weighted_amount: ShownAmount.describe('amount x probability / 100, half up, in the smallest unit.'),
    closed_at: timestamp().nullable(),
    last_stage_id: computed(
      id('pstage').nullable().describe('The stage before this one, while it is there.'),
    ),
    stage_entered_at: timestamp(),
    days_in_stage: computed(z.int()),
    is_stale: computed(
      z.boolean().describe('Whether it is open and has stayed longer than its stage allows.'),
    ),
    position: z
      .string()
      .describe('Its place on the board: an exact decimal, smaller ones stand above.')
      .meta({ examples: ['1775003400000'] }),
    custom_fields: CustomFieldValues,
    metadata: ownKeys.metadata,
    tags: z.array(TagLabel),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Deal' });

export type Deal = z.output<typeof Deal>;

const sent = z
  .strictObject({
    ...fields,
    amount: decimalInput()
      .refine((value) => !isDecimal(value) || AMOUNT.test(value), {
        params: { code: 'out_of_range' },
        error: says({
          en: 'must not be negative and must be below 10,000,000,000,000',
          ja: 'は0以上10,000,000,000,000未満で入力してください',
        }),
      })
      .describe("0 unless said. At most the currency's decimals."),
    probability: probability().nullable().describe("null is the stage's."),
    custom_fields: CustomFieldChanges,
    metadata: ownKeysInput.metadata,
  })
  .partial();

/** What a new deal is made from. */
export const DealInput = sent.required({ name: true }).meta({ id: 'DealInput' });

export type DealInput = z.output<typeof DealInput>;

/** What a change of a deal may hold; only the fields sent change, `null` clears. A `stage_id` moves it. */
export const DealPatch = sent.meta({ id: 'DealPatch' });

export type DealPatch = z.output<typeof DealPatch>;

/** Where a deal goes on the board: a stage of its pipeline, and a neighbour there. */
export const DealMove = z
  .strictObject({
    stage_id: fields.stage_id.describe('The stage that it is in, unless said.'),
    before_id: id('deal').describe('The deal that it is to stand above.'),
    after_id: id('deal').describe('The deal that it is to stand below.'),
    lost_reason: fields.lost_reason,
  })
  .partial()
  .refine(({ before_id, after_id }) => before_id === undefined || after_id === undefined, {
    path: ['after_id'],
    params: { code: 'mutually_exclusive' },
    error: says({
      en: 'must not be sent together with before_id',
      ja: 'は before_id と同時に指定できません',
    }),
  })
  .meta({
    id: 'DealMove',
    examples: [
      { stage_id: 'pstage_01kaj2n5w5fq8b4m0g3v7x9rtc', after_id: 'deal_01kaj2n5w5fq8b4m0g3v7x9rtd' },
    ],
  });

export type DealMove = z.output<typeof DealMove>;

/** The table; beside the API's fields it holds what search and order are made from. */
export class DealModel extends TenantModel {
  static override tableName = 'crm_deals';
  static override jsonAttributes = ['custom_fields', 'metadata'];
  static override columnTypes = {
    amount: 'numeric',
    probability: 'smallint',
    has_own_probability: 'boolean',
    expected_close_date: 'date',
    closed_at: 'timestamptz',
    stage_entered_at: 'timestamptz',
    position: 'numeric',
    own_search_grams: 'integer[]',
    company_search_grams: 'integer[]',
    search_grams: 'integer[]',
    custom_fields: 'jsonb',
    metadata: 'jsonb',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  };
}

/** What deals are looked up by. */
export const dealKind = recordKind({ table: DealModel.tableName, prefix: 'deal' });

uniqueKey('crm_deals_external_id_once', {
  table: DealModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another deal has this external_id', ja: 'この external_id はほかの案件が使っています' },
});
refusesBy('crm_deals_organization_id_pipeline_id_stage_id_fkey', () =>
  unknownReference('/stage_id', { en: 'The stage', ja: 'ステージ' }),
);
refusesBy('crm_deals_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
refusesBy('crm_deals_organization_id_owner_id_fkey', () =>
  unknownReference('/owner_id', { en: 'The user', ja: 'ユーザー' }),
);
refusesBy('crm_deal_contacts_organization_id_contact_id_fkey', () =>
  unknownReference('/contact_ids', { en: 'A contact', ja: '担当者' }),
);
