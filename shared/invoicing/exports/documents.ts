import { column, type ExportColumn, type Exporter } from '../../platform/exports/exporter.ts';
import { contextOf } from '../documents/context.ts';
import { type DocumentKind, documentKinds, kinds } from '../documents/kinds.ts';
import { type DocumentFilters, documentList } from '../documents/queries.ts';
import { taxCategories } from '../tax/rates.ts';
import { companyName } from './company-name.ts';
import { documentHeaders } from './headers.ts';
import { titles } from './titles.ts';
import { documentWords } from './values.ts';

const table = 'invoicing_documents';

const own = (kind: ExportColumn['kind'], ...names: string[]) =>
  names.map((name) => column(table, name, kind));

/** What a category comes to on the document, empty where it has none of it. */
function ofCategory(category: string, amount: 'net' | 'tax'): ExportColumn {
  return column(
    table,
    `tax_breakdown.${category}.${amount}`,
    'number',
    `(SELECT part ->> '${amount}' FROM jsonb_array_elements("${table}".tax_breakdown) AS part
       WHERE part ->> 'tax_category' = '${category}')`,
  );
}

/** That of the settings until the document is issued, as in every answer. */
const registrationNumber = column(
  table,
  'issuer_registration_number',
  'text',
  `CASE WHEN "${table}".status <> 'draft' THEN "${table}".issuer_registration_number ELSE
    (SELECT settings.issuer_registration_number FROM invoicing_settings AS settings
      WHERE settings.organization_id = "${table}".organization_id) END`,
);

function columnsOf(kind: DocumentKind): ExportColumn[] {
  const { has_due_date, has_delivery } = kinds[kind];
  const is = (...wanted: DocumentKind[]) => wanted.includes(kind);
  return [
    ...own('text', 'id', 'number', 'external_id', 'status', 'company_id'),
    companyName(table),
    ...own('text', 'contact_id', 'honorific', 'subject'),
    ...own('day', 'issue_date', 'transaction_date', 'transaction_from', 'transaction_to'),
    ...own('day', ...(has_due_date ? ['due_date'] : []), ...(has_delivery ? ['delivery_date'] : [])),
    ...own('text', ...(has_delivery ? ['delivery_place', 'payment_terms_text'] : [])),
    ...own('text', ...(is('credit_note') ? ['invoice_id', 'reason'] : [])),
    ...own('number', 'subtotal', 'tax', 'total', 'withholding_tax', 'amount_due'),
    ...own('number', ...(is('invoice') ? ['amount_paid', 'credited', 'balance'] : [])),
    ...taxCategories.flatMap((category) => [ofCategory(category, 'net'), ofCategory(category, 'tax')]),
    ...own('text', 'currency', 'tax_display_mode', 'tax_rounding', 'withholding_mode'),
    ...own('text', 'issuer_name'),
    registrationNumber,
    ...own('text', 'memo', 'internal_memo', 'metadata'),
    ...own('day', ...(is('invoice') ? ['paid_on'] : [])),
    ...own('time', ...(is('quotation', 'purchase_order') ? ['sent_at', 'accepted_at'] : [])),
    ...own('time', ...(is('invoice') ? ['approved_at', 'sent_at', 'paid_at', 'cancelled_at'] : [])),
    ...own('time', ...(is('delivery_note') ? ['delivered_at'] : [])),
    ...own('time', ...(is('quotation') ? ['rejected_at'] : [])),
    ...own(
      'text',
      ...(is('quotation') ? ['reject_reason'] : []),
      ...(is('invoice') ? ['cancel_reason'] : []),
    ),
    ...own('text', 'created_by'),
    ...own('time', 'created_at', 'updated_at'),
  ];
}

function documentExport(kind: DocumentKind): Exporter {
  return {
    name: `invoicing.${kinds[kind].path.replaceAll('-', '_')}`,
    scope: 'invoicing:read',
    title: titles[kind],
    columns: columnsOf(kind),
    japanese: documentHeaders,
    words: documentWords,
    list: async (reader, filters, window) =>
      documentList(reader, kind, filters as DocumentFilters, window, await contextOf(reader)),
  };
}

/** By kind, its documents as a file, one a row. */
export const documentExports = Object.fromEntries(
  documentKinds.map((kind) => [kind, documentExport(kind)]),
) as Record<DocumentKind, Exporter>;
