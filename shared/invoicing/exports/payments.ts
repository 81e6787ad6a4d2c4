import { column, type ExportColumn, type Exporter } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { type PaymentFilters, paymentList } from '../payments/queries.ts';
import { PaymentModel } from '../payments/record.ts';
import { companyName } from './company-name.ts';
import { feeBearerWords, methodWords } from './values.ts';

const table = PaymentModel.tableName;

/** What the invoice of a payment says. */
function ofInvoice({ name, sql }: Pick<ExportColumn, 'name' | 'sql'>): ExportColumn {
  return column(
    table,
    name,
    'text',
    `(SELECT ${sql} FROM invoicing_documents
       WHERE invoicing_documents.organization_id = "${table}".organization_id
         AND invoicing_documents.id = "${table}".invoice_id)`,
  );
}

const RECEIVED = `"${table}".amount - "${table}".withheld_amount
  - CASE WHEN "${table}".fee_borne_by = 'us' THEN "${table}".fee_amount ELSE 0 END`;

/** Payments as a file. */
export const paymentExport: Exporter = {
  name: 'invoicing.payments',
  scope: 'invoicing:read',
  title: '入金消込',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'invoice_id', 'text'),
    ofInvoice({ name: 'invoice_number', sql: 'invoicing_documents.number' }),
    ofInvoice({ name: 'company_id', sql: 'invoicing_documents.company_id' }),
    ofInvoice(companyName('invoicing_documents')),
    column(table, 'paid_on', 'day'),
    column(table, 'paid_at', 'time'),
    column(table, 'amount', 'number'),
    column(table, 'received_amount', 'number', RECEIVED),
    column(table, 'method', 'text'),
    column(table, 'fee_amount', 'number'),
    column(table, 'fee_borne_by', 'text'),
    column(table, 'withheld_amount', 'number'),
    column(table, 'note', 'text'),
    column(table, 'deposit_id', 'text'),
    column(table, 'metadata', 'text'),
    column(table, 'created_by', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese: {
    ...commonHeaders,
    invoice_id: '請求書ID',
    invoice_number: '請求書番号',
    company_id: '取引先ID',
    company_name: '取引先名',
    paid_on: '入金日',
    paid_at: '入金日時',
    amount: '消込額',
    received_amount: '入金額',
    method: '入金方法',
    fee_amount: '手数料',
    fee_borne_by: '手数料の負担',
    withheld_amount: '源泉徴収額',
    note: 'メモ',
    deposit_id: '入金ID',
  },
  words: { method: methodWords, fee_borne_by: feeBearerWords },
  list: (reader, filters, window) => paymentList(reader, filters as PaymentFilters, window),
};
