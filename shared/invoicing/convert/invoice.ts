import type { Work } from '../../kernel/work.ts';
import { contextOf } from '../documents/context.ts';
import { lineInput } from '../documents/copy.ts';
import { createDocument } from '../documents/create.ts';
import type { LineOrigin } from '../documents/draft.ts';
import type { DocumentRecord } from '../documents/record.ts';
import type { DocumentInput } from '../documents/shape.ts';
import type { SourcedLine } from './delivered.ts';
import type { Override } from './record.ts';

/** When what is invoiced was delivered, where its sources say so. */
type Dates = Pick<DocumentInput, 'transaction_date' | 'transaction_period'>;

/**
 * Makes the draft invoice of one or more documents: what they say is copied from the first one, the lines and their
 * origin from all, the rest has its defaults of today. The tax is found anew for the whole invoice. Errors: those of
 * making a document.
 */
export async function makeInvoice(
  work: Work,
  sources: readonly DocumentRecord[],
  lines: readonly SourcedLine[],
  { dates, override }: { dates: Dates; override: Override },
): Promise<DocumentRecord> {
  const [first] = sources;
  const { today } = await contextOf(work);
  const saysDates = override.transaction_date !== undefined || override.transaction_period !== undefined;
  const input: DocumentInput = {
    ...copied(first!),
    issue_date: today,
    ...(saysDates ? {} : dates),
    line_items: lines.map(({ line }) => lineInput(line)),
    ...override,
  };
  const origins = override.line_items ? [] : lines.map(originOf);
  const links = sources.map(({ kind, id }) => ({ type: kind, id }));
  const invoice = await createDocument(work, 'invoice', input, { lines: origins, sources: links });
  for (const { kind, id } of sources) announceConversion(work, { kind, id }, invoice);
  return invoice;
}

/** Tells that a document was made of another one. */
export function announceConversion(
  work: Work,
  source: { kind: string; id: string },
  target: { kind: string; id: string },
): void {
  work.announce('conversion.completed', {
    source_type: source.kind,
    source_id: source.id,
    target_type: target.kind,
    target_id: target.id,
  });
}

/** Lets what a document was made of be converted again, when that document is removed. */
export function freeSources(work: Work, id: string): void {
  work.run('DELETE FROM invoicing_links WHERE organization_id = $1 AND target_id = $2', [
    work.organization_id,
    id,
  ]);
}

/** What a document hands on: neither number, status and dates nor what its issuer was called. */
function copied(source: DocumentRecord) {
  const { company_id, contact_id, honorific, subject, memo, internal_memo, bank_account } = source;
  const { tax_display_mode, tax_rounding, withholding_mode } = source;
  return {
    company_id,
    contact_id,
    honorific,
    subject,
    memo,
    internal_memo,
    bank_account,
    tax_display_mode,
    tax_rounding,
    withholding_mode,
  };
}

function originOf({ line, document_id }: SourcedLine): LineOrigin {
  return { source_line_id: line.id, source_document_id: document_id };
}
