import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { type DepositFilters, depositList } from '../deposits/queries.ts';
import { DepositModel } from '../deposits/record.ts';
import { companyNow } from './company-name.ts';
import { methodWords } from './values.ts';

const table = DepositModel.tableName;
const all = `"${table}".amount + "${table}".fee_amount`;

/** Deposits as a file, whose columns the import of a statement knows. */
export const depositExport: Exporter = {
  name: 'invoicing.deposits',
  scope: 'invoicing:read',
  title: '入金',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'received_on', 'day'),
    column(table, 'payer_name', 'text'),
    column(table, 'amount', 'number'),
    column(table, 'fee_amount', 'number'),
    column(table, 'allocated', 'number'),
    column(table, 'refunded', 'number'),
    column(table, 'unallocated', 'number', `${all} - "${table}".allocated - "${table}".refunded`),
    column(table, 'method', 'text'),
    column(table, 'bank_reference', 'text'),
    column(table, 'company_id', 'text'),
    column(table, 'company_name', 'text', companyNow(table)),
    column(table, 'note', 'text'),
    column(table, 'metadata', 'text'),
    column(table, 'created_by', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese: {
    ...commonHeaders,
    received_on: '入金日',
    payer_name: '振込依頼人名',
    amount: '入金額',
    fee_amount: '当社負担の手数料',
    allocated: '割当済',
    refunded: '返金済',
    unallocated: '未割当',
    method: '入金方法',
    bank_reference: '取引番号',
    company_id: '取引先ID',
    company_name: '取引先名',
    note: 'メモ',
  },
  words: { method: methodWords },
  list: (reader, filters, window) => depositList(reader, filters as DepositFilters, window),
};
