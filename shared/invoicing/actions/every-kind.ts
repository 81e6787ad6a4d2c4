import { recordAction } from '../../platform/batches/action.ts';
import { duplicateDocument } from '../documents/copy.ts';
import type { DocumentKind, WrittenKind } from '../documents/kinds.ts';
import { DocumentEmailInput } from '../emails/input.ts';
import { sendDocumentEmail } from '../emails/send.ts';

/** Mails a document. */
export function sendingEmail(kind: DocumentKind) {
  return recordAction({
    scope: 'invoicing:write',
    status: 202,
    body: DocumentEmailInput,
    act: (work, id, body, { mail_limits }) => sendDocumentEmail(work, { kind, id }, body, mail_limits),
  });
}

/** Copies a document. */
export function duplicating(kind: WrittenKind) {
  return recordAction({
    scope: 'invoicing:write',
    status: 201,
    act: (work, id) => duplicateDocument(work, kind, id),
  });
}
