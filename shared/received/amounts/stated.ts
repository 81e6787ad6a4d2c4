import { categoryTax } from '../../invoicing/tax/breakdown.ts';
import { type TaxCategory, taxRateOn } from '../../invoicing/tax/rates.ts';
import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { AmountsInput, TaxRow } from './record.ts';

/** A row as it counts, with what the paper says and we would have said of its tax. */
export type CountedRow = TaxRow & {
  /** Its place in `stated_breakdown`. */
  index: number;
  /** In yen; null where the paper says only one of net and gross, so that the tax is ours. */
  computed_tax: bigint | null;
};

/**
 * The printed rows in full: what they say counts, what they leave out follows from the formula of the tax. The rate is
 * that of a row's own date. Faults: `required` for a row without net and gross, `amount_mismatch` for three sums that do
 * not add up, `tax_category_not_in_force`, and `duplicate_value` for a second row of a category and date.
 */
export function statedRows(input: AmountsInput): { rows: CountedRow[]; faults: FieldError[] } {
  const rows: CountedRow[] = [];
  const faults: FieldError[] = [];
  for (const [index, stated] of (input.stated_breakdown ?? []).entries()) {
    const path = `/stated_breakdown/${index}`;
    const { tax_category, transaction_date } = stated;
    const day = transaction_date ?? input.day;
    const rate = taxRateOn(tax_category, day);
    if (rate === null) {
      faults.push(notInForce(`${path}/tax_category`, tax_category, day));
      continue;
    }
    const isSecond = rows.some((row) => row.tax_category === tax_category && row.transaction_date === day);
    if (isSecond) {
      faults.push(fault(path, 'duplicate_value', second(tax_category, day)));
      continue;
    }
    const sums = sumsOf(stated, rate, input);
    if ('message' in sums) faults.push(fault(path, sums.code, sums.message));
    else {
      const is_dated = transaction_date !== null;
      rows.push({ index, tax_category, tax_rate: rate, transaction_date: day, is_dated, ...sums });
    }
  }
  return { rows, faults };
}

type Printed = { net: number | null; tax: number | null; gross: number | null };

type Sums = Pick<CountedRow, 'net' | 'tax' | 'gross' | 'computed_tax'>;

/** Net, tax and gross of a row, and the tax that the formula gives where the row says its own. */
function sumsOf(
  printed: Printed,
  tax_rate: number,
  { tax_display_mode, tax_rounding }: AmountsInput,
): Sums | { code: string; message: Text } {
  const [net, tax, gross] = [printed.net, printed.tax, printed.gross].map((yen) =>
    yen === null ? null : BigInt(yen),
  ) as [bigint | null, bigint | null, bigint | null];
  const inside = (amount: bigint) =>
    categoryTax(amount, tax_rate, { display_mode: 'inclusive', rounding: tax_rounding });
  const onTop = (amount: bigint) =>
    categoryTax(amount, tax_rate, { display_mode: 'exclusive', rounding: tax_rounding });
  const whole = (sums: Omit<Sums, 'computed_tax'>): Sums => ({
    ...sums,
    computed_tax: tax_display_mode === 'exclusive' ? onTop(sums.net).tax : inside(sums.gross).tax,
  });
  if (net !== null && gross !== null) {
    if (tax !== null && net + tax !== gross) return { code: 'amount_mismatch', message: DO_NOT_ADD_UP };
    return whole({ net, tax: gross - net, gross });
  }
  if (net !== null) {
    return tax === null ? { ...onTop(net), computed_tax: null } : whole({ net, tax, gross: net + tax });
  }
  if (gross !== null) {
    return tax === null ? { ...inside(gross), computed_tax: null } : whole({ net: gross - tax, tax, gross });
  }
  return { code: 'required', message: NEITHER };
}

const DO_NOT_ADD_UP: Text = {
  en: 'Net and tax do not add up to gross',
  ja: 'net と tax の合計が gross と一致しません',
};

const NEITHER: Text = { en: 'The row needs net or gross', ja: '行には net または gross が必要です' };

function second(category: TaxCategory, day: string): Text {
  return {
    en: `There is a second row of ${category} on ${day}`,
    ja: `${category} の ${day} の行が重複しています`,
  };
}

function notInForce(path: string, category: TaxCategory, day: string): FieldError {
  return fault(path, 'tax_category_not_in_force', {
    en: `${category} was not in force on ${day}`,
    ja: `${category} は ${day} には適用されていません`,
  });
}

/** A fault of a body. */
export function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}
