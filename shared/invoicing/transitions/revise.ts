import type { Work } from '../../kernel/work.ts';
import { inputFrom } from '../documents/copy.ts';
import { createDocument } from '../documents/create.ts';
import type { LineOrigin } from '../documents/draft.ts';
import type { DocumentLine } from '../documents/line.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockFor } from './lock-for.ts';

/**
 * Makes the draft that will replace an invoice when it is approved: a copy of all but the number. It also takes the
 * place of the invoice towards what that was converted from, so that nothing is invoiced twice. Errors: those of the
 * table of transitions, `already_revised` among them.
 */
export async function reviseInvoice(work: Work, id: string): Promise<DocumentRecord> {
  const invoice = await lockFor(work, 'invoice', id, 'revise');
  return createDocument(work, 'invoice', inputFrom(invoice), {
    lines: invoice.lines.map(originOf),
    sources: invoice.source,
    revises_id: id,
  });
}

function originOf({ source_line_id, source_document_id }: DocumentLine): LineOrigin {
  if (source_line_id === null || source_document_id === null) return null;
  return { source_line_id, source_document_id };
}
