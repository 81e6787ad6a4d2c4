import { recordAction } from '../../platform/batches/action.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import { rejectDocument } from '../transitions/decide.ts';
import { reopenDocument } from '../transitions/reopen.ts';
import { Rejection, Reopening } from './bodies.ts';

/** Rejects a document. */
export function rejecting(kind: ReceivedKind) {
  return recordAction({
    scope: 'approvals:write',
    body: Rejection,
    act: (work, id, { reason = null }) => rejectDocument(work, kind, id, reason),
  });
}

/** Makes a decided document pending again. */
export function reopening(kind: ReceivedKind) {
  return recordAction({
    scope: 'approvals:write',
    body: Reopening,
    act: (work, id, { reason = null }) => reopenDocument(work, kind, id, reason),
  });
}
