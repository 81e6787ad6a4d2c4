import { journalOfSource } from '../../accounting/sources/from-document.ts';
import type { JournalOfRecord } from '../../accounting/sources/record.ts';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { askingIn, standingOf } from '../documents/shown.ts';
import { actionsFor } from '../transitions/allowed.ts';
import { lockReceivedSource } from './source.ts';

/** Which entry is asked for: of the invoice, or of one of its payments. */
export type JournalAsked = {
  payment_id?: string | undefined;
  post?: boolean | undefined;
  preview?: boolean | undefined;
};

/**
 * Makes the entry of an approved invoice or of one of its payments: a draft, posted where the body says so, or shown alone.
 * Errors: `not_found`, `unknown_reference`, `invalid_transition` for an invoice that is not approved, and those of
 * `journalOfSource`.
 */
export async function journalOfReceived(
  work: Work,
  id: string,
  { payment_id, ...asked }: JournalAsked,
): Promise<JournalOfRecord> {
  const invoice = await documentForUpdate(work, 'invoice', id);
  if (payment_id !== undefined && !invoice.payments.some((payment) => payment.id === payment_id)) {
    throw unknownReference('/payment_id', payment_id);
  }
  if (invoice.status === 'pending' || invoice.status === 'rejected') throw await notApproved(work, invoice);
  const source =
    payment_id === undefined
      ? await lockReceivedSource(work, { type: 'received_invoice', id })
      : await lockReceivedSource(work, { type: 'received_payment', id: payment_id });
  return journalOfSource(work, source!, asked);
}

async function notApproved(work: Work, invoice: ReceivedDocument): Promise<Failure> {
  const context = await receivedContext(work);
  const { status } = invoice;
  const available_actions = actionsFor(standingOf(invoice, context), askingIn(context));
  return new Failure('invalid_transition', {
    detail: {
      en: `The invoice is ${status}; only one that is approved has an entry`,
      ja: `請求書の状態は ${status} です。仕訳を作成できるのは承認済みの請求書だけです`,
    },
    members: { current_status: status, available_actions },
  });
}
