import { z } from 'zod';
import { freeText, text } from '../../kernel/schema.ts';
import { byField, narrow } from '../../platform/imports/reading/cell.ts';
import { parseDay } from '../../platform/imports/reading/day.ts';
import type { ImportField } from '../../platform/imports/reading/field.ts';
import { journalKinds } from '../journals/kinds.ts';
import { parseAmount, parseTaxCategory } from './cells.ts';

const parseAccount = byField(text(100));
const parseName = byField(z.string().max(500));

const sided = (side: 'debit' | 'credit', ja: '借方' | '貸方', en: string): ImportField[] => [
  {
    name: `${side}_account`,
    label: { ja: `${ja}勘定科目`, en: `${en} account` },
    aliases: [`${ja}勘定科目コード`, `${ja}科目コード`, `${ja}勘定科目`, `${ja}科目`, `${side} account code`],
    parse: parseAccount,
  },
  {
    name: side,
    label: { ja, en },
    aliases: [side, ja, `${ja}金額`, `${ja}金額(円)`],
    required: 'column',
    instead: ['amount'],
    parse: parseAmount,
  },
  {
    name: `${side}_tax_category`,
    label: { ja: `${ja}税区分`, en: `${en} tax category` },
    aliases: [`${ja}税区分`, `${ja}消費税区分`],
    parse: parseTaxCategory,
  },
  {
    name: `${side}_company`,
    label: { ja: `${ja}取引先`, en: `${en} company` },
    aliases: [`${ja}取引先`, `${ja}取引先名`],
    parse: parseName,
  },
];

/**
 * What the columns of a file of entries can be mapped to: those of the journal book's CSV, a row a line; or, as other
 * programs write them, both sides in a row.
 */
export const journalFields: readonly ImportField[] = [
  {
    name: 'date',
    label: { ja: '日付', en: 'Date' },
    aliases: ['date', '日付', '取引日', '取引日付', '伝票日付', '計上日', '発生日'],
    required: true,
    parse: parseDay,
  },
  {
    name: 'number',
    label: { ja: '番号', en: 'Number' },
    aliases: ['number', 'entry number', '番号', '伝票番号', '伝票No', '仕訳番号', '取引No', '取引番号'],
    parse: byField(text(100)),
  },
  {
    name: 'kind',
    label: { ja: '種類', en: 'Kind' },
    aliases: ['kind', '種類', '仕訳区分'],
    parse: byField(z.enum(journalKinds), (cell) => narrow(cell).toLowerCase()),
  },
  {
    name: 'description',
    label: { ja: '摘要', en: 'Description' },
    aliases: ['description', '摘要', '取引内容', '内容'],
    parse: byField(freeText(500)),
  },
  {
    name: 'line',
    label: { ja: '明細行', en: 'Line' },
    aliases: ['line', '行番号', '明細行'],
    parse: byField(z.int().min(1), (cell) =>
      /^\d{1,6}$/.test(narrow(cell)) ? Number(narrow(cell)) : undefined,
    ),
  },
  {
    name: 'account_code',
    label: { ja: '勘定科目コード', en: 'Account code' },
    aliases: ['account code', 'account', '勘定科目コード', '科目コード', '勘定コード', '勘定科目'],
    required: true,
    instead: ['debit_account', 'credit_account'],
    parse: parseAccount,
  },
  ...sided('debit', '借方', 'Debit'),
  ...sided('credit', '貸方', 'Credit'),
  {
    name: 'amount',
    label: { ja: '金額', en: 'Amount' },
    aliases: ['amount', '金額'],
    parse: parseAmount,
  },
  {
    name: 'tax_category',
    label: { ja: '税区分', en: 'Tax category' },
    aliases: ['tax category', 'tax', '税区分', '消費税区分'],
    parse: parseTaxCategory,
  },
  {
    name: 'company',
    label: { ja: '取引先', en: 'Company' },
    aliases: ['company', '取引先', '取引先名', '会社名'],
    parse: parseName,
  },
  {
    name: 'department',
    label: { ja: '部門', en: 'Department' },
    aliases: ['department', '部門', '部門名'],
    parse: byField(z.string().max(200)),
  },
  {
    name: 'line_description',
    label: { ja: '明細の摘要', en: 'Description of the line' },
    aliases: ['line description', '明細の摘要', '明細摘要', '行摘要', '備考'],
    parse: byField(freeText(500)),
  },
  {
    name: 'reference',
    label: { ja: '参照', en: 'Reference' },
    aliases: ['reference', '参照', '参照番号', '証憑番号'],
    parse: byField(text(100)),
  },
];
