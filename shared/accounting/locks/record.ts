import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { day, freeText, id, timestamp } from '../../kernel/schema.ts';

export const lockScopes = ['all', 'sales', 'purchases', 'manual'] as const;

const fields = {
  from: day().nullable().describe('null: since ever.'),
  to: day().describe('The last locked day.'),
  level: z
    .enum(['soft', 'hard'])
    .describe('A soft lock lets holders of `settings:write` through, a hard one nobody.'),
  scope: z
    .enum(lockScopes)
    .describe(
      'Which entries: all, those of sales (invoices, payments, credit notes, deposits), of purchases (received documents), or those without a source.',
    ),
  reason: freeText(500)
    .nullable()
    .meta({ examples: ['4月分の月次締め'] }),
};

/** Days on which no entry changes, as the API shows them. */
export const PeriodLock = z
  .strictObject({
    id: id('lock'),
    object: z.literal('accounting.period_lock'),
    ...fields,
    fiscal_year_id: id('fy').nullable().describe('The closed year whose lock this is.'),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'PeriodLock' });

export type PeriodLock = z.output<typeof PeriodLock>;

/** What a new lock is made from. */
export const PeriodLockInput = z
  .strictObject(fields)
  .partial()
  .required({ to: true })
  .meta({ id: 'PeriodLockInput' });

export type PeriodLockInput = z.output<typeof PeriodLockInput>;

export class PeriodLockModel extends TenantModel {
  static override tableName = 'accounting_period_locks';
}

export const periodLockFacts = factsOf({ domain: 'accounting', entity_type: 'period_lock' });
