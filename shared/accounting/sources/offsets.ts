import { companyIds } from '../../crm/aliases.ts';
import type { Work } from '../../kernel/work.ts';
import type { BookedRecord, Offset, RecordRef, TakenBack } from '../../platform/bookkeeping.ts';
import { lockEntriesOf } from '../journals/queries.ts';

/** What is set off once: a payment of an invoice, one of a received invoice, or both, and whose entry stands for them. */
const OFFSETS = 'accounting_offsets';

/** Where an offset names the payment of each side. */
const SIDES: Readonly<Record<string, 'payment_id' | 'received_payment_id'>> = {
  payment: 'payment_id',
  received_payment: 'received_payment_id',
};

/**
 * Notes the payments that set off: two of one company, day and amount, one of each side, are one offset. Answers the records
 * that an entry is to be made of: not a payment whose entry the one on the other side has made already.
 */
export async function notedOffsets(work: Work, booked: readonly BookedRecord[]): Promise<BookedRecord[]> {
  const own: BookedRecord[] = [];
  for (const record of booked) {
    if (record.offset === undefined || !(await joinsAnother(work, record, record.offset))) own.push(record);
  }
  return own;
}

/** Whether a payment belongs to the entry of one on the other side. Payments of one company wait for each other here. */
async function joinsAnother(
  work: Work,
  { type, id }: RecordRef,
  { company_id, day, amount }: Offset,
): Promise<boolean> {
  const { connection, organization_id } = work;
  const [ids, values] = companyIds(work, company_id);
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${OFFSETS} ${organization_id} ${day} ${amount}`,
  ]);
  const side = SIDES[type]!;
  const open = connection.knex
    .from(OFFSETS)
    .where({ organization_id, day, amount })
    .whereNull(side)
    .whereRaw(`company_id = ANY (${ids})`, values)
    .orderBy('created_at')
    .orderBy('source_id')
    .limit(1)
    .forUpdate()
    .select('source_id');
  const [found] = (await open) as { source_id: string }[];
  if (!found) {
    const row = { source_id: id, company_id, day, amount, [side]: id, created_at: work.now.toISOString() };
    work.insert({ tableName: OFFSETS }, row);
    return false;
  }
  const { posted, unposted } = await lockEntriesOf(work, [{ type, id: found.source_id }]);
  const isBooked = posted.length + unposted.length > 0;
  work.run(
    `UPDATE ${OFFSETS} SET ${side} = $3, source_id = $4 WHERE organization_id = $1 AND source_id = $2`,
    [organization_id, found.source_id, id, isBooked ? found.source_id : id],
  );
  return isBooked;
}

/**
 * Takes payments out of their offsets. Answers the records whose entries are to be taken back: of an offset the one that
 * made it, and not before the payments of both sides are gone.
 */
export async function releasedOffsets(work: Work, taken_back: readonly TakenBack[]): Promise<TakenBack[]> {
  const released: TakenBack[] = [];
  for (const record of taken_back) {
    const side = SIDES[record.type];
    const offset = side && (await lockOffset(work, side, record.id));
    if (!offset) released.push(record);
    else if (offset.is_shared) {
      const text = `UPDATE ${OFFSETS} SET ${side} = NULL WHERE organization_id = $1 AND source_id = $2`;
      work.run(text, [work.organization_id, offset.source_id]);
    } else {
      const text = `DELETE FROM ${OFFSETS} WHERE organization_id = $1 AND source_id = $2`;
      work.run(text, [work.organization_id, offset.source_id]);
      released.push({ ...record, id: offset.source_id });
    }
  }
  return released;
}

type KeptOffset = { source_id: string; is_shared: boolean };

async function lockOffset(
  { connection, organization_id }: Work,
  side: 'payment_id' | 'received_payment_id',
  id: string,
): Promise<KeptOffset | null> {
  const [row] = await connection.query<KeptOffset>(
    `SELECT source_id, payment_id IS NOT NULL AND received_payment_id IS NOT NULL AS is_shared
       FROM ${OFFSETS} WHERE organization_id = $1 AND ${side} = $2 FOR UPDATE`,
    [organization_id, id],
  );
  return row ?? null;
}

/** The record that made the entry of a payment's offset, locked; null for what is set off with nothing. */
export async function sourceOfOffset(work: Work, { type, id }: RecordRef): Promise<string | null> {
  const side = SIDES[type];
  return side ? ((await lockOffset(work, side, id))?.source_id ?? null) : null;
}

/** The entry of an offset is made from a payment that no other has booked for it. */
export function bookOffsetFrom(work: Work, { type, id }: RecordRef): void {
  const side = SIDES[type];
  if (!side) return;
  const text = `UPDATE ${OFFSETS} SET source_id = $2 WHERE organization_id = $1 AND ${side} = $2`;
  work.run(text, [work.organization_id, id]);
}
