import { z } from 'zod';
import { MetadataChanges } from '../../kernel/own-keys.ts';
import { byField, decimalText, narrow, yesOrNo } from '../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../platform/imports/reading/field.ts';
import type { lineTypes } from '../documents/line.ts';
import type { TaxCategory } from '../tax/rates.ts';

const bare = (cell: string) =>
  narrow(cell)
    .toLowerCase()
    .replaceAll(/[\s()[\]【】]/g, '');

/** Reads cells that say one of few things, in any of these words. Faults: `invalid_value`, or what is said. */
export function oneOf<Value>(
  words: Readonly<Record<string, Value>>,
  fault = 'invalid_value',
): (cell: string) => Parsed {
  const known = new Map(Object.entries(words).map(([word, value]) => [bare(word), value]));
  return (cell) => {
    const word = bare(cell);
    return known.has(word) ? { value: known.get(word) } : { fault };
  };
}

/** A number as people write it, for a schema of decimals. */
export const decimalCell = (schema: z.ZodType) => byField(schema, decimalText);

export const parseYesOrNo = byField(z.boolean(), yesOrNo);

export const parseMetadata = byField(MetadataChanges, (cell) => {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
});

const categories: Readonly<Record<string, TaxCategory>> = {
  standard: 'standard',
  標準税率: 'standard',
  標準: 'standard',
  課税: 'standard',
  '10%': 'standard',
  '10': 'standard',
  課税10: 'standard',
  '課税10%': 'standard',
  '標準税率10%': 'standard',
  '10%標準税率': 'standard',
  課税売上10: 'standard',
  '課税売上10%': 'standard',
  reduced: 'reduced',
  軽減税率: 'reduced',
  軽減: 'reduced',
  '8%': 'reduced',
  '8': 'reduced',
  '8%軽減': 'reduced',
  '8%軽減税率': 'reduced',
  '8%※': 'reduced',
  '※8%': 'reduced',
  '※': 'reduced',
  軽減8: 'reduced',
  '軽減8%': 'reduced',
  '軽減税率8%': 'reduced',
  '課税8%軽減': 'reduced',
  '課税8%軽': 'reduced',
  '課税売上8%軽': 'reduced',
  '課税売上8%軽減': 'reduced',
  legacy_8: 'legacy_8',
  旧8: 'legacy_8',
  '旧8%': 'legacy_8',
  旧税率8: 'legacy_8',
  '旧税率8%': 'legacy_8',
  '課税売上8%': 'legacy_8',
  zero_rated: 'zero_rated',
  免税: 'zero_rated',
  輸出免税: 'zero_rated',
  exempt: 'exempt',
  非課税: 'exempt',
  非課税売上: 'exempt',
  out_of_scope: 'out_of_scope',
  不課税: 'out_of_scope',
  対象外: 'out_of_scope',
  課税対象外: 'out_of_scope',
};

/**
 * A category by our word for it, the Japanese one, or the rate: `10%`, `軽減8%`. A bare `8%` is the reduced rate, the only
 * one of today that has it; 旧8% says the other. `0%` may be any of three, and is a fault.
 */
export const parseTaxCategory = oneOf(categories);

/** The kind of line, which only our own files tell; `文章` is one without price. */
export const parseLineType = oneOf<(typeof lineTypes)[number]>({
  item: 'item',
  品目: 'item',
  text: 'text',
  文章: 'text',
  テキスト: 'text',
});

/** What a row of a file with a row for the document and one for each of its lines is. */
export type RowType = 'document' | 'line';

export const parseRowType = oneOf<RowType>({
  document: 'document',
  請求書: 'document',
  見積書: 'document',
  納品書: 'document',
  発注書: 'document',
  注文書: 'document',
  本文: 'document',
  取引行: 'document',
  line: 'line',
  item: 'line',
  品目: 'line',
  明細: 'line',
  明細行: 'line',
});

export const parseTaxDisplayMode = oneOf({
  exclusive: 'exclusive',
  外税: 'exclusive',
  税抜: 'exclusive',
  税抜き: 'exclusive',
  税別: 'exclusive',
  inclusive: 'inclusive',
  内税: 'inclusive',
  税込: 'inclusive',
  税込み: 'inclusive',
});

export const parseTaxRounding = oneOf({
  floor: 'floor',
  切捨て: 'floor',
  切り捨て: 'floor',
  切捨: 'floor',
  round: 'round',
  四捨五入: 'round',
  ceil: 'ceil',
  切上げ: 'ceil',
  切り上げ: 'ceil',
  切上: 'ceil',
});

export const parseWithholdingMode = oneOf({
  none: 'none',
  なし: 'none',
  しない: 'none',
  net: 'net',
  税抜: 'net',
  税抜金額: 'net',
  gross: 'gross',
  税込: 'gross',
  税込金額: 'gross',
});

export const parseHonorific = oneOf({ 御中: '御中', 様: '様', なし: '' });

export const parseCurrency = oneOf({ JPY: 'JPY', 円: 'JPY', 日本円: 'JPY' });
