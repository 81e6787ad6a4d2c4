import { announceConversion } from '../../invoicing/convert/invoice.ts';
import { contextOf } from '../../invoicing/documents/context.ts';
import { lineInput } from '../../invoicing/documents/copy.ts';
import { createDocument } from '../../invoicing/documents/create.ts';
import type { DocumentRecord } from '../../invoicing/documents/record.ts';
import type { DocumentInput } from '../../invoicing/documents/shape.ts';
import { invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { kinds } from '../documents/kinds.ts';
import { lockFor } from '../transitions/lock-for.ts';

/**
 * Makes the draft purchase order of an approved quotation, once, to who sent it: again only when that order was deleted.
 * What we order is copied with its origin, the rest has its defaults of today; the body may put any field in the place of
 * what would be copied. Errors: those of the table of transitions, `validation_failed` without a company or lines, and those
 * of making a document.
 */
export async function convertQuotation(
  work: Work,
  id: string,
  override: Partial<DocumentInput>,
): Promise<DocumentRecord> {
  const quotation = await lockFor(work, 'quotation', id, 'convert');
  const { subject, memo, internal_memo, tax_display_mode, tax_rounding, withholding_mode } = quotation;
  const company_id = override.company_id ?? quotation.company_id;
  if (company_id === null) {
    const message = {
      en: 'The quotation names no company; an order needs its company_id',
      ja: '見積書に取引先が登録されていません。発注書には company_id が必要です',
    };
    throw invalid('/company_id', 'required', message);
  }
  const line_items = override.line_items ?? quotation.lines.map(lineInput);
  if (line_items.length === 0) {
    const message = {
      en: 'The quotation has no lines; say in line_items what is ordered',
      ja: '見積書に明細がありません。line_items に発注の内容を指定してください',
    };
    throw invalid('/line_items', 'required', message);
  }
  const { today } = await contextOf(work);
  const input: DocumentInput = {
    subject,
    memo,
    internal_memo,
    tax_display_mode,
    tax_rounding,
    withholding_mode,
    issue_date: today,
    ...override,
    company_id,
    line_items,
  };
  const origins = override.line_items
    ? []
    : quotation.lines.map((line) => ({ source_line_id: line.id, source_document_id: id }));
  const source = { type: kinds.quotation.name, id };
  const order = await createDocument(work, 'purchase_order', input, { lines: origins, sources: [source] });
  announceConversion(work, { kind: kinds.quotation.name, id }, order);
  return order;
}
