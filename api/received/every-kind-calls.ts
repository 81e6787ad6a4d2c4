import type { FailureCode } from '../../shared/kernel/failures.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { rejecting, reopening } from '../../shared/received/actions/every-kind.ts';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { changing } from './actions.ts';

const REOPENED: Readonly<Record<ReceivedKind, string>> = {
  invoice:
    'Takes an approval or a rejection back: it is `pending`, its entry in the books is taken back by a mirror, and it is in ' +
    'no transfer file any more. With payments it is refused; delete them first.',
  quotation: 'Takes an approval or a rejection back: it is `pending`. Refused once it was converted.',
  purchase_order: 'Takes an approval or a rejection back: it is `pending`.',
  delivery_note:
    'Takes a confirmation or a rejection back: it is `pending`, and nothing of it is accepted. Refused once an invoice of ' +
    'its order is approved, which was checked by what was accepted.',
};

/** What can be done to received documents of every kind. */
export function everyKindCalls(kind: ReceivedKind): Endpoint[] {
  const one = `a ${kinds[kind].title.en}`;
  const duplicates: FailureCode[] = ['duplicate_document', 'duplicate_file'];
  return [
    changing(kind, 'reject', rejecting(kind), {
      summary: `Reject ${one}`,
      description:
        'It stays with its files and the `reason`, and counts as no duplicate of another one any more.',
    }),
    changing(kind, 'reopen', reopening(kind), {
      summary: `Reopen ${one}`,
      description:
        `${REOPENED[kind]} What was registered meanwhile with the same number or file refuses it as a duplicate. The ` +
        'audit log keeps the `reason`.',
      raises: kind === 'invoice' ? [...duplicates, ...bookkeepingRefusals] : duplicates,
    }),
  ];
}
