import { companyIds } from '../../crm/aliases.ts';
import type { Work } from '../../kernel/work.ts';
import type { BookedRecord, Offset, RecordRef, TakenBack } from '../../platform/bookkeeping.ts';
import { lockEntriesOf } from '../journals/queries.ts';

/** What is set off once: a payment of an invoice, one of a received invoice, or both, and whose entry stands for them. */
const OFFSETS = 'accounting_offsets';

type Side = 'payment_id' | 'received_payment_id';

/** Where an offset names the payment of each side. */
const SIDES: Readonly<Record<string, Side>> = {
  payment: 'payment_id',
  received_payment: 'received_payment_id',
};

/** A record that an entry is made of: whole, or what it has beside an amount that another entry sets off. */
export type OwnRecord = RecordRef & { is_beside: boolean };

/**
 * Notes the payments that set off: two of one company, day and amount, one of each side, are one offset. Answers the records
 * that an entry is to be made of; one whose amount the entry of the other side has already, only for what it has beside it.
 */
export async function notedOffsets(work: Work, booked: readonly BookedRecord[]): Promise<OwnRecord[]> {
  const own: OwnRecord[] = [];
  for (const { type, id, offset } of booked) {
    const is_beside = offset !== undefined && (await joinsAnother(work, { type, id }, offset));
    if (!is_beside || offset.has_more) own.push({ type, id, is_beside });
  }
  return own;
}

/** Payments that set off alike wait for each other here. */
async function lockAlike({ connection, organization_id }: Work, { day, amount }: Offset): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${OFFSETS} ${organization_id} ${day} ${amount}`,
  ]);
}

/** Whether a payment belongs to the entry of one on the other side. */
async function joinsAnother(work: Work, { type, id }: RecordRef, offset: Offset): Promise<boolean> {
  const { organization_id } = work;
  const { company_id, day, amount } = offset;
  await lockAlike(work, offset);
  const side = SIDES[type]!;
  const found = await openOffset(work, side, offset);
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

type KeptOffset = Record<Side, string | null> & { source_id: string; amount: number };

const columns = ['source_id', 'amount', 'payment_id', 'received_payment_id'];

/** The first offset like this one that lacks the payment of a side, locked. */
async function openOffset(
  work: Work,
  lacks: Side,
  { company_id, day, amount }: Offset,
): Promise<KeptOffset | undefined> {
  const [ids, values] = companyIds(work, company_id);
  const open = work.connection
    .from(OFFSETS)
    .where({ organization_id: work.organization_id, day, amount })
    .whereNull(lacks)
    .whereRaw(`company_id = ANY (${ids})`, values)
    .orderBy('created_at')
    .orderBy('source_id')
    .limit(1)
    .forUpdate()
    .select(columns);
  const [found] = (await open) as KeptOffset[];
  return found;
}

/** What becomes of entries when payments leave their offsets. */
export type Released = {
  /** Records whose entries are taken back. */
  gone: TakenBack[];
  /** Those whose entry is made anew of what is still set off (yen), without their own fee and tax withheld. */
  reduced: (TakenBack & { company_id: string; amount: number })[];
  /** Those whose entry is made anew of what they have beside the entry of another one. */
  beside: TakenBack[];
};

/**
 * Takes payments out of their offsets. The entry of an offset stands until the payments of both sides are gone; another
 * payment that waits to be set off takes the place of the one that goes.
 */
export async function releasedOffsets(work: Work, taken_back: readonly TakenBack[]): Promise<Released> {
  const released: Released = { gone: [], reduced: [], beside: [] };
  for (const record of taken_back) await release(work, record, released);
  return released;
}

async function release(work: Work, record: TakenBack, { gone, reduced, beside }: Released): Promise<void> {
  const side = SIDES[record.type];
  if (record.offset) await lockAlike(work, record.offset);
  const kept = side && (await lockOffset(work, side, record.id));
  const isSource = kept?.source_id === record.id;
  // The entry of a payment that is not its offset's source has what it had beside the offset.
  if (!isSource) gone.push(record);
  if (!kept) return;
  const other_side: Side = side === 'payment_id' ? 'received_payment_id' : 'payment_id';
  const partner = kept[other_side];
  const ofSource = { ...record, id: kept.source_id };
  if (partner === null) {
    removeOffset(work, kept.source_id);
    gone.push(ofSource);
    return;
  }
  const waiting = record.offset && (await openOffset(work, other_side, record.offset));
  if (!waiting) {
    setSide(work, kept.source_id, side, null);
    if (isSource && record.offset?.has_more) {
      reduced.push({ ...record, company_id: record.offset.company_id, amount: kept.amount });
    }
    return;
  }
  if (kept.source_id !== partner) {
    removeOffset(work, kept.source_id);
    setSide(work, waiting.source_id, other_side, partner);
    gone.push(ofSource);
    return;
  }
  const next = waiting[side]!;
  removeOffset(work, waiting.source_id);
  setSide(work, kept.source_id, side, next);
  if (waiting.source_id === next) beside.push({ ...record, id: next });
  else gone.push({ ...record, id: waiting.source_id });
}

function removeOffset(work: Work, source_id: string): void {
  const text = `DELETE FROM ${OFFSETS} WHERE organization_id = $1 AND source_id = $2`;
  work.run(text, [work.organization_id, source_id]);
}

function setSide(work: Work, source_id: string, side: Side, id: string | null): void {
  const text = `UPDATE ${OFFSETS} SET ${side} = $3 WHERE organization_id = $1 AND source_id = $2`;
  work.run(text, [work.organization_id, source_id, id]);
}

async function lockOffset(
  { connection, organization_id }: Work,
  side: Side,
  id: string,
): Promise<KeptOffset | null> {
  const [row] = await connection.query<KeptOffset>(
    `SELECT ${columns.join(', ')} FROM ${OFFSETS} WHERE organization_id = $1 AND ${side} = $2 FOR UPDATE`,
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
