import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allocatedOf, unallocatedOf } from './money.ts';
import type { Deposit } from './record.ts';

export const depositColumns = [
  'id',
  'company_id',
  'received_on',
  'amount',
  'method',
  'fee_amount',
  'payer_name',
  'bank_reference',
  'note',
  'refunded',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** A row of the table, without the sum of the allocations, which filters read; amounts are exact as numbers. */
export type DepositRow = Omit<Deposit, 'object' | 'allocations' | 'allocated' | 'unallocated' | 'refunds'> & {
  refunded: number;
};

/** A payment as the deposit knows it that it is an allocation of. */
export type AllocationRow = Deposit['allocations'][number] & { fee_amount: number; from_advances: boolean };

/** A deposit with what it pays and what was paid back of it, oldest first. */
export type DepositRecord = DepositRow & {
  allocations: readonly AllocationRow[];
  refunds: Deposit['refunds'];
};

/** A deposit as the API shows it. */
export function depositOf(record: DepositRecord): Deposit {
  return {
    id: record.id,
    object: 'invoicing.deposit',
    amount: record.amount,
    received_on: record.received_on,
    payer_name: record.payer_name,
    method: record.method,
    fee_amount: record.fee_amount,
    bank_reference: record.bank_reference,
    company_id: record.company_id,
    note: record.note,
    allocations: record.allocations.map(({ id, invoice_id, amount }) => ({ id, invoice_id, amount })),
    allocated: allocatedOf(record),
    unallocated: unallocatedOf(record),
    refunds: record.refunds,
    external_id: record.external_id,
    metadata: record.metadata,
    created_by: record.created_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}

/** What deposits pay and what was paid back of them. */
export async function besideDeposits(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<(id: string) => Pick<DepositRecord, 'allocations' | 'refunds'>> {
  if (ids.length === 0) return () => ({ allocations: [], refunds: [] });
  const [allocations, refunds] = await Promise.all([
    connection.query<AllocationRow & { deposit_id: string }>(
      `SELECT deposit_id, id, invoice_id, amount, fee_amount, from_advances FROM invoicing_payments
        WHERE organization_id = $1 AND deposit_id = ${oneOf('$2')} ORDER BY id`,
      [organization_id, ids],
    ),
    connection.query<Deposit['refunds'][number] & { deposit_id: string }>(
      `SELECT deposit_id, id, amount, refunded_on, method, note, created_by, created_at
         FROM invoicing_deposit_refunds WHERE organization_id = $1 AND deposit_id = ${oneOf('$2')} ORDER BY id`,
      [organization_id, ids],
    ),
  ]);
  const allocated = Map.groupBy(allocations, ({ deposit_id }) => deposit_id);
  const refunded = Map.groupBy(refunds, ({ deposit_id }) => deposit_id);
  return (id) => ({
    allocations: allocated.get(id) ?? [],
    refunds: (refunded.get(id) ?? []).map(({ deposit_id, ...refund }) => refund),
  });
}

const BY_ID = `SELECT ${depositColumns.join(', ')} FROM invoicing_deposits WHERE organization_id = $1 AND id = $2`;

/**
 * A deposit; its parts are read after it, so what changes meanwhile comes with an ETag that is past. Errors: `not_found`.
 */
export async function depositById(reader: Reader, id: string): Promise<DepositRecord> {
  return found(await depositBy(reader, BY_ID, id));
}

/** A deposit, its row locked until the work commits; the rest is read once the lock is held. Errors: `not_found`. */
export async function lockDeposit(reader: Reader, id: string): Promise<DepositRecord> {
  return found(await lockDepositIfThere(reader, id));
}

/** The same; null where there is none. */
export function lockDepositIfThere(reader: Reader, id: string): Promise<DepositRecord | null> {
  return depositBy(reader, `${BY_ID} FOR NO KEY UPDATE`, id);
}

/** Deposits, locked in the order of their IDs until the work commits; missing ones are left out. */
export async function lockDeposits(reader: Reader, ids: readonly string[]): Promise<DepositRecord[]> {
  if (ids.length === 0) return [];
  const [rows, beside] = await Promise.all([
    reader.connection.query<DepositRow>(
      `SELECT ${depositColumns.join(', ')} FROM invoicing_deposits
        WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR NO KEY UPDATE`,
      [reader.organization_id, ids],
    ),
    besideDeposits(reader, ids),
  ]);
  return rows.map((row) => ({ ...row, ...beside(row.id) }));
}

async function depositBy(reader: Reader, text: string, id: string): Promise<DepositRecord | null> {
  const [[row], beside] = await Promise.all([
    reader.connection.query<DepositRow>(text, [reader.organization_id, id]),
    besideDeposits(reader, [id]),
  ]);
  return row ? { ...row, ...beside(id) } : null;
}

function found(deposit: DepositRecord | null): DepositRecord {
  if (!deposit) throw notFound();
  return deposit;
}
