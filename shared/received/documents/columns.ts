import type { Row } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import type { ReceivedDocument } from './record.ts';

/** The columns that hold a document, without its search. */
export const receivedColumns = [
  'id',
  'kind',
  'status',
  'number',
  'company_id',
  'company_name',
  'company_key',
  'registration_number',
  'issue_date',
  'transaction_date',
  'transaction_from',
  'transaction_to',
  'received_on',
  'due_date',
  'subject',
  'memo',
  'internal_memo',
  'tax_display_mode',
  'tax_rounding',
  'withholding_mode',
  'currency',
  'stated_breakdown',
  'stated_total',
  'stated_withholding',
  'bank_account',
  'subtotal',
  'tax',
  'total',
  'withholding_tax',
  'amount_due',
  'tax_breakdown',
  'tax_differences',
  'received_via',
  'qualified',
  'qualified_override',
  'deduction_basis',
  'deduction_reason',
  'input_tax',
  'non_deductible',
  'purchase_order_id',
  'match_mode',
  'match',
  'duplicate_of',
  'warnings',
  'missing',
  'file_count',
  'retention_date',
  'reject_reason',
  'rejected_at',
  'approved_by',
  'approved_at',
  'confirmed_at',
  'fulfilled_on',
  'fulfilled_at',
  'posting_date',
  'transfer_date',
  'amount_paid',
  'balance',
  'paid_on',
  'paid_at',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** A row of the table. */
export type ReceivedRow = Pick<ReceivedDocument, (typeof receivedColumns)[number]>;

/** The columns of a document that hold it, without its search. */
export function columnsOf(document: ReceivedDocument): Row {
  return Object.fromEntries(receivedColumns.map((column) => [column, document[column]]));
}

/** What a document is found by, and the name of its sender by itself. */
export function searchedBy(document: ReceivedDocument): Row {
  const { number, subject, company_name, registration_number } = document;
  const search_text = searchText([number, subject, company_name, registration_number]);
  const partner_text = searchText([company_name]);
  return {
    search_text,
    search_grams: gramsOf(search_text),
    partner_text,
    partner_grams: gramsOf(partner_text),
  };
}

/** The rows of a document's lines. */
export function lineRowsOf({ id, lines }: Pick<ReceivedDocument, 'id' | 'lines'>): Row[] {
  return lines.map((line, index) => ({ document_id: id, position: index + 1, ...line }));
}

export const lineColumns = [
  'document_id',
  'id',
  'type',
  'description',
  'item_code',
  'quantity',
  'unit',
  'unit_price',
  'tax_category',
  'tax_rate',
  'withholding',
  'amount',
  'account_id',
  'purchase_order_line_id',
  'purpose',
  'accepted_quantity',
  'reject_reason',
] as const;
