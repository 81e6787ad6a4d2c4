import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { day, id, text, timestamp } from '../../kernel/schema.ts';
import { MOST_YEN, type PaymentMethod } from '../payments/record.ts';

/** How money comes; what is set off (相殺) is no money. */
export const depositMethods = [
  'bank_transfer',
  'cash',
  'card',
  'other',
] as const satisfies readonly PaymentMethod[];

export type DepositMethod = (typeof depositMethods)[number];

/** Invoices that one deposit pays at the most: all of them stand in its answer. */
export const MOST_ALLOCATIONS = 200;

/** Refunds that one deposit has at the most. */
export const MOST_REFUNDS = 100;

const yen = (example: number) => z.int().meta({ examples: [example] });
const sent = (least: number, example: number) =>
  z
    .int()
    .min(least)
    .max(MOST_YEN)
    .meta({ examples: [example] });
const payerName = () => text(100).meta({ examples: ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ'] });
const bankReference = () => text(100).meta({ examples: ['20260531-0042'] });
const note = (example: string) => text(1_000).meta({ examples: [example] });

const Refund = z
  .strictObject({
    id: id('dref'),
    amount: yen(1_000),
    refunded_on: day().meta({ examples: ['2026-06-05'] }),
    method: z.enum(depositMethods),
    note: note('振込超過分').nullable(),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'DepositRefund' });

/** A deposit, as the API shows one. Amounts are whole yen. */
export const Deposit = z
  .strictObject({
    id: id('dep'),
    object: z.literal('invoicing.deposit'),
    amount: yen(23_000).describe('What came in.'),
    received_on: day()
      .describe('The day on which it came.')
      .meta({ examples: ['2026-05-31'] }),
    payer_name: payerName().nullable().describe('Who paid, as the bank writes it.'),
    method: z.enum(depositMethods),
    fee_amount: yen(440).describe(
      'The fee of the transfer that we bear: part of the first of its allocations, beside what came in.',
    ),
    bank_reference: bankReference().nullable(),
    company_id: id('comp').nullable().describe('Whose invoices it pays; null while nobody knows.'),
    note: note('4月分と5月分').nullable(),
    allocations: z
      .array(
        z
          .strictObject({ id: id('pay'), invoice_id: id('inv'), amount: yen(12_080) })
          .meta({ id: 'DepositAllocation' }),
      )
      .describe('What it pays of invoices: payments of theirs, oldest first.'),
    allocated: yen(12_080).describe('The sum of its allocations.'),
    unallocated: yen(10_360).describe('`amount` and `fee_amount`, less `allocated` and what was paid back.'),
    refunds: z.array(Refund).describe('What was paid back of it, oldest first.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Deposit' });

export type Deposit = z.output<typeof Deposit>;

const AllocationsInput = z
  .array(z.strictObject({ invoice_id: id('inv'), amount: sent(1, 12_080) }).meta({ id: 'AllocationInput' }))
  .max(MOST_ALLOCATIONS);

/** What a deposit is to pay of invoices. */
export type AllocationInput = z.output<typeof AllocationsInput>[number];

const described = {
  payer_name: payerName().nullable(),
  bank_reference: bankReference().nullable(),
  company_id: id('comp').nullable().describe('The company of its invoices unless said.'),
  note: note('4月分と5月分').nullable(),
  ...ownKeysInput,
};

/** What a new deposit is made from. */
export const DepositInput = z
  .strictObject({
    ...described,
    amount: sent(1, 23_000).describe('What came in.'),
    received_on: day().meta({ examples: ['2026-05-31'] }),
    allow_future: z
      .boolean()
      .describe('Whether the day may lie more than 31 days ahead, which is refused unless said.')
      .meta({ examples: [false] }),
    method: z.enum(depositMethods).describe('`bank_transfer` unless said.'),
    fee_amount: sent(0, 440).describe(
      'The fee of the transfer that we bear, part of the first allocation; 0 unless said.',
    ),
    allocations: AllocationsInput.describe('What it pays of invoices of one company; nothing unless said.'),
  })
  .partial()
  .required({ amount: true, received_on: true })
  .meta({ id: 'DepositInput' });

export type DepositInput = z.output<typeof DepositInput>;

/** What changes of a deposit; what came in never does. */
export const DepositPatch = z.strictObject(described).partial().meta({ id: 'DepositPatch' });

export type DepositPatch = z.output<typeof DepositPatch>;

/** What a deposit pays of invoices besides. */
export const DepositAllocations = z
  .strictObject({
    allocations: AllocationsInput.min(1),
    fee_amount: sent(0, 440)
      .describe(
        'The fee that we bear, part of the first of these; that of the deposit unless said, while no allocation has it.',
      )
      .optional(),
  })
  .meta({ id: 'DepositAllocationsInput' });

export type DepositAllocations = z.output<typeof DepositAllocations>;

/** What is paid back of a deposit. */
export const DepositRefundInput = z
  .strictObject({
    amount: sent(1, 1_000),
    refunded_on: day()
      .describe('Today unless said, or `received_on` where that is later; never before it.')
      .meta({ examples: ['2026-06-05'] }),
    allow_future: z
      .boolean()
      .describe('Whether the day may lie more than 31 days ahead, which is refused unless said.')
      .meta({ examples: [false] }),
    method: z.enum(depositMethods).describe('`bank_transfer` unless said.'),
    note: note('振込超過分').nullable(),
  })
  .partial()
  .required({ amount: true })
  .meta({ id: 'DepositRefundInput' });

export type DepositRefundInput = z.output<typeof DepositRefundInput>;

export class DepositModel extends TenantModel {
  static override tableName = 'invoicing_deposits';
  static override jsonAttributes = ['metadata'];
}

export class DepositRefundModel extends TenantModel {
  static override tableName = 'invoicing_deposit_refunds';
}

/** What deposits are looked up by. */
export const depositKind = recordKind({ table: DepositModel.tableName, prefix: 'dep' });

uniqueKey('invoicing_deposits_external_id_once', {
  table: DepositModel.tableName,
  read_by: 'invoicing:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another deposit has this external_id',
    ja: 'この external_id はほかの入金が使っています',
  },
});

refusesBy('invoicing_deposits_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);

/** Deposits stand in the audit log alone; the events are those of the invoices that they pay. */
export const depositFacts = factsOf({
  domain: 'invoicing',
  entity_type: 'deposit',
  computed: ['unallocated'],
});
