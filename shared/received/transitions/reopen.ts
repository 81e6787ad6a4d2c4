import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import { documentForUpdate, withJournals } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { documentChanged } from '../documents/write.ts';
import { receivedBooks } from '../journals/books.ts';
import { lockedBehindOrder } from '../match/current.ts';
import { billedBy } from './billed.ts';
import { requireAction } from './lock-for.ts';

/** What a decision wrote, as it was before. */
const UNDECIDED = {
  status: 'pending',
  approved_by: null,
  approved_at: null,
  confirmed_at: null,
  rejected_at: null,
  reject_reason: null,
  posting_date: null,
  transfer_date: null,
};

/**
 * Makes a decided document pending again. The entry of an invoice is taken back; of a delivery note nothing is accepted any
 * more, which its order stays locked for: no invoice is approved by it meanwhile. Errors: those of the table of
 * transitions, `duplicate_document` and `duplicate_file` where it counts again, those of the books.
 */
export async function reopenDocument(
  work: Work,
  kind: ReceivedKind,
  id: string,
  reason: string | null,
): Promise<ReceivedDocument> {
  const before = await lockToReopen(work, kind, id);
  const lines = before.lines.map((line) => ({ ...line, accepted_quantity: null, reject_reason: null }));
  const reopened = await documentChanged(
    work,
    before,
    { ...before, ...UNDECIDED, lines },
    {
      noted: { reopen_reason: reason },
    },
  );
  if (before.kind === 'invoice' && before.status === 'approved') {
    const { locale } = (await receivedContext(work)).invoicing;
    await receivedBooks.keep(work, {
      taken_back: [{ type: 'received_invoice', id, reason: reason ?? REOPENED[locale] }],
    });
    return withJournals(work, reopened);
  }
  return reopened;
}

/** Why the entry of an invoice is void. */
const REOPENED = { ja: '承認の取り消し', en: 'The approval was taken back' };

async function lockToReopen(work: Work, kind: ReceivedKind, id: string): Promise<ReceivedDocument> {
  const lock = () => documentForUpdate(work, kind, id);
  const before = await (kind === 'delivery_note' ? lockedBehindOrder(work, id, lock) : lock());
  work.precondition(before);
  const { purchase_order_id } = before;
  if (kind === 'delivery_note' && purchase_order_id !== null) {
    const billed = await billedBy(work, [purchase_order_id]);
    await requireAction(work, { ...before, billed_by: billed.get(purchase_order_id) ?? null }, 'reopen');
  } else {
    await requireAction(work, before, 'reopen');
  }
  return before;
}
