import { z } from 'zod';
import { day, freeText, text } from '../../kernel/schema.ts';
import { byField, dayText, decimalText, narrow } from '../../platform/imports/reading/cell.ts';
import type { ImportField, Parsed } from '../../platform/imports/reading/field.ts';
import { accountCode } from '../accounts/record.ts';
import { journalKinds } from '../journals/kinds.ts';
import { taxCategories } from '../tax/categories.ts';

/** Yen that a line may have: twelve digits. */
const Amount = z.int().min(0).max(999_999_999_999);

/** Whole yen as people write them: `11,000`, `¥11000`, `１１，０００円`. */
export const parseAmount = byField(Amount, (cell) => {
  const exact = decimalText(cell)?.replace(/\.0+$/, '');
  return exact === undefined || exact.includes('.') ? undefined : Number(exact);
});

const codes = new Map(
  taxCategories.flatMap(({ code, name }) => [
    [code, code],
    [narrow(name), code],
  ]),
);

/** A category by its code or by its Japanese name. */
function parseTaxCategory(cell: string): Parsed {
  const code = codes.get(narrow(cell)) ?? codes.get(narrow(cell).toUpperCase());
  return code === undefined ? { fault: 'invalid_value' } : { value: code };
}

const parseKind = byField(z.enum(journalKinds), (cell) => narrow(cell).toLowerCase());

/** What the columns of a file of entries can be mapped to: those of the journal book's CSV, a row a line. */
export const journalFields: readonly ImportField[] = [
  {
    name: 'date',
    label: { ja: '日付', en: 'Date' },
    aliases: ['date', '日付', '取引日', '取引日付', '伝票日付', '計上日', '発生日'],
    required: true,
    parse: byField(day(), dayText),
  },
  {
    name: 'number',
    label: { ja: '番号', en: 'Number' },
    aliases: [
      'number',
      'no',
      'no.',
      'entry number',
      '番号',
      '伝票番号',
      '伝票No',
      '仕訳番号',
      '取引No',
      '取引番号',
    ],
    parse: byField(text(100)),
  },
  {
    name: 'kind',
    label: { ja: '種類', en: 'Kind' },
    aliases: ['kind', '種類', '仕訳区分'],
    parse: parseKind,
  },
  {
    name: 'description',
    label: { ja: '摘要', en: 'Description' },
    aliases: ['description', '摘要', '取引内容', '内容'],
    parse: byField(freeText(500)),
  },
  {
    name: 'line',
    label: { ja: '行', en: 'Line' },
    aliases: ['line', '行', '行番号', '明細行'],
    parse: byField(z.int().min(1), (cell) =>
      /^\d{1,6}$/.test(narrow(cell)) ? Number(narrow(cell)) : undefined,
    ),
  },
  {
    name: 'account_code',
    label: { ja: '勘定科目コード', en: 'Account code' },
    aliases: ['account code', 'account', '勘定科目コード', '科目コード', '勘定コード'],
    required: true,
    parse: byField(accountCode(), narrow),
  },
  {
    name: 'debit',
    label: { ja: '借方', en: 'Debit' },
    aliases: ['debit', '借方', '借方金額'],
    required: 'column',
    parse: parseAmount,
  },
  {
    name: 'credit',
    label: { ja: '貸方', en: 'Credit' },
    aliases: ['credit', '貸方', '貸方金額'],
    required: 'column',
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
    parse: byField(z.string().max(500)),
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
