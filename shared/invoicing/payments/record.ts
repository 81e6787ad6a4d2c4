import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { day, id, text, timestamp, timestampInput } from '../../kernel/schema.ts';

/** How money came; `offset` (相殺) is what was set off against a debt of ours. */
export const paymentMethods = ['bank_transfer', 'cash', 'card', 'offset', 'other'] as const;

export type PaymentMethod = (typeof paymentMethods)[number];

/** Who bears the fee of a transfer. */
const feeBearers = ['us', 'customer'] as const;

/** Yen that a payment may have: twelve digits. */
export const MOST_YEN = 999_999_999_999;

const note = () => text(1_000).meta({ examples: ['4月分'] });

/** A payment, as the API shows one. Amounts are whole yen. */
export const Payment = z
  .strictObject({
    id: id('pay'),
    object: z.literal('invoicing.payment'),
    invoice_id: id('inv'),
    invoice_number: z.string().meta({ examples: ['INV-2026-0001'] }),
    company_id: id('comp').describe("The invoice's."),
    paid_on: day()
      .describe('The day on which the money came.')
      .meta({ examples: ['2026-05-31'] }),
    paid_at: timestamp()
      .describe('When that day began in the time zone of the settings.')
      .meta({ examples: ['2026-05-30T15:00:00.000Z'] }),
    amount: z
      .int()
      .describe('What it settles: `received_amount`, a fee that we bear, and `withheld_amount`.')
      .meta({ examples: [3_240] }),
    received_amount: z
      .int()
      .describe('What came in.')
      .meta({ examples: [2_800] }),
    method: z.enum(paymentMethods),
    fee_amount: z.int().meta({ examples: [440] }),
    fee_borne_by: z.enum(feeBearers).nullable().describe('null without a fee.'),
    withheld_amount: z
      .int()
      .describe('Income tax that the customer withheld beyond what the invoice says.')
      .meta({ examples: [0] }),
    note: note().nullable(),
    deposit_id: id('dep').nullable().describe('The deposit that it is an allocation of.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Payment' });

export type Payment = z.output<typeof Payment>;

const forms = [day(), timestampInput()];

/** A day, or an instant, which stands for its day in the time zone of the settings. */
export function paymentMoment() {
  return z
    .string()
    .transform((value, issues) => {
      for (const form of forms) {
        const parsed = form.safeParse(value);
        if (parsed.success) return parsed.data;
      }
      issues.addIssue({
        code: 'custom',
        params: { code: 'invalid_format' },
        message: says({
          en: 'must be a day as YYYY-MM-DD or an ISO 8601 time with its zone',
          ja: 'は YYYY-MM-DD 形式の日付か、タイムゾーン付きのISO 8601形式の日時で指定してください',
        }),
      });
      return z.NEVER;
    })
    .meta({ examples: ['2026-05-31'] });
}

/** What a new payment is made from. */
export const PaymentInput = z
  .strictObject({
    paid_on: day()
      .describe('The day on which the money came; today unless said.')
      .meta({ examples: ['2026-05-31'] }),
    paid_at: paymentMoment().describe('A day, or an instant of it, in place of `paid_on`.'),
    allow_future: z
      .boolean()
      .describe('Whether the day may lie more than 31 days ahead, which is refused unless said.')
      .meta({ examples: [false] }),
    amount: z
      .int()
      .min(1)
      .max(MOST_YEN)
      .describe('What it settles, in yen; the whole balance unless said.')
      .meta({ examples: [3_240] }),
    method: z.enum(paymentMethods).describe('`bank_transfer` unless said.'),
    fee_amount: z
      .int()
      .min(0)
      .max(MOST_YEN)
      .describe('The fee of the transfer; 0 unless said.')
      .meta({ examples: [440] }),
    fee_borne_by: z
      .enum(feeBearers)
      .describe('A fee that we bear is part of `amount`, one of the customer is not; `us` unless said.'),
    withheld_amount: z
      .int()
      .min(0)
      .max(MOST_YEN)
      .describe('Income tax that was withheld though the invoice does not say so; part of `amount`.')
      .meta({ examples: [0] }),
    note: note().nullable(),
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'PaymentInput' });

export type PaymentInput = z.output<typeof PaymentInput>;

/** What changes of a payment; what was paid never does. */
export const PaymentPatch = z
  .strictObject(ownKeysInput)
  .partial()
  .meta({ id: 'PaymentPatch', examples: [{ external_id: 'K-1024', metadata: { erp_id: '4711' } }] });

export type PaymentPatch = z.output<typeof PaymentPatch>;

/** The table; whose payment it is stands on its invoice. */
export class PaymentModel extends TenantModel {
  static override tableName = 'invoicing_payments';
  static override jsonAttributes = ['metadata'];
}

/** What payments are looked up by. */
export const paymentKind = recordKind({ table: PaymentModel.tableName, prefix: 'pay' });

uniqueKey('invoicing_payments_external_id_once', {
  table: PaymentModel.tableName,
  read_by: 'invoicing:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another payment has this external_id', ja: 'この external_id はほかの入金が使っています' },
});

/** Payments stand in the audit log; their event is that of the invoice. */
export const paymentFacts = factsOf({
  domain: 'invoicing',
  entity_type: 'payment',
  computed: ['invoice_number', 'company_id', 'received_amount'],
});
