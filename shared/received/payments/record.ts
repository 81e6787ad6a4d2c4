import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { paymentMoment } from '../../invoicing/payments/record.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { day, id, text, timestamp } from '../../kernel/schema.ts';

/** How we pay; `offset` (相殺) is what is set off against what the supplier owes us. */
export const receivedPaymentMethods = ['bank_transfer', 'cash', 'card', 'offset', 'other'] as const;

/** Who bears the fee of a transfer. */
const feeBearers = ['us', 'supplier'] as const;

/** Yen that a payment may have: twelve digits. */
const MOST = 999_999_999_999;

const yen = (example: number) => z.int().meta({ examples: [example] });
const note = () => text(1_000).meta({ examples: ['10月分'] });

/** What we paid of an invoice, as the API shows it. Amounts are whole yen. */
export const ReceivedPayment = z
  .strictObject({
    id: id('rpay'),
    object: z.literal('received.payment'),
    paid_on: day()
      .describe('The day on which the money left.')
      .meta({ examples: ['2026-11-30'] }),
    paid_at: timestamp()
      .describe('When that day began in the time zone of the settings.')
      .meta({ examples: ['2026-11-29T15:00:00.000Z'] }),
    amount: yen(59_790).describe('What it pays of the balance, with its sign.'),
    method: z.enum(receivedPaymentMethods),
    fee_amount: yen(550),
    fee_borne_by: z
      .enum(feeBearers)
      .nullable()
      .describe('null without a fee.')
      .meta({ examples: ['supplier'] }),
    transferred_amount: yen(59_240).describe(
      'What reaches the supplier: the amount, less a fee that the supplier bears.',
    ),
    note: note().nullable(),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'ReceivedPayment' });

export type ReceivedPayment = z.output<typeof ReceivedPayment>;

/** What a new payment of a received invoice is made from. */
export const ReceivedPaymentInput = z
  .strictObject({
    paid_on: day()
      .describe('The day on which the money left; today unless said.')
      .meta({ examples: ['2026-11-30'] }),
    paid_at: paymentMoment().describe('A day, or an instant of it, in place of `paid_on`.'),
    allow_future: z
      .boolean()
      .describe('Whether the day may lie ahead, which is refused unless said.')
      .meta({ examples: [false] }),
    amount: z
      .int()
      .min(-MOST)
      .max(MOST)
      .describe('In yen, with the sign of the balance; the whole balance unless said.')
      .meta({ examples: [59_790] }),
    method: z.enum(receivedPaymentMethods).describe('`bank_transfer` unless said.'),
    fee_amount: z
      .int()
      .min(0)
      .max(MOST)
      .describe('The fee of the transfer; 0 unless said.')
      .meta({ examples: [550] }),
    fee_borne_by: z
      .enum(feeBearers)
      .describe('A fee that the supplier bears is taken from what is transferred; `us` unless said.'),
    note: note().nullable(),
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'ReceivedPaymentInput' });

export type ReceivedPaymentInput = z.output<typeof ReceivedPaymentInput>;

/** The table; whose payment it is stands on its invoice. */
export class ReceivedPaymentModel extends TenantModel {
  static override tableName = 'received_payments';
  static override jsonAttributes = ['metadata'];
}

uniqueKey('received_payments_external_id_once', {
  table: ReceivedPaymentModel.tableName,
  read_by: 'received:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another payment has this external_id',
    ja: 'この external_id はほかの支払が使っています',
  },
});
