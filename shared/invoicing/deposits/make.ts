import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { DepositInput } from './record.ts';
import type { DepositRecord } from './rows.ts';

/** A new deposit that pays nothing yet. Errors: `validation_failed` for too much metadata. */
export function newDeposit(
  work: Work,
  input: DepositInput,
  id: string = newId('dep', work.now),
): DepositRecord {
  const at = work.now.toISOString();
  return {
    id,
    company_id: input.company_id ?? null,
    received_on: input.received_on,
    amount: input.amount,
    method: input.method ?? 'bank_transfer',
    fee_amount: input.fee_amount ?? 0,
    payer_name: input.payer_name ?? null,
    bank_reference: input.bank_reference ?? null,
    note: input.note ?? null,
    refunded: 0,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
    allocations: [],
    refunds: [],
  };
}
