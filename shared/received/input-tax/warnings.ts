import { isCorporateNumber } from '../../crm/corporate-number.ts';
import { changesWithin } from '../../invoicing/tax/rates.ts';
import type { ReceivedWarning, TaxRow } from '../amounts/record.ts';
import { type InputTaxContext, shareOn, type TaxedInvoice } from './input-tax.ts';

/** What warnings of a registration number follow from. */
type Numbered = {
  registration_number: string | null;
  /** That of the company in the CRM; null where it has none, or the document no company. */
  company_registration_number: string | null;
  /** Invoices alone are qualified by a number. */
  is_invoice: boolean;
};

/** What is odd about the registration number that stands on a document. */
export function registrationWarnings({
  registration_number,
  company_registration_number,
  is_invoice,
}: Numbered): ReceivedWarning[] {
  const warning = (code: string, en: string, ja: string): ReceivedWarning => ({
    path: '/registration_number',
    code,
    message: { en, ja },
  });
  if (registration_number === null) {
    if (!is_invoice) return [];
    return [
      warning(
        'registration_number_missing',
        'There is no registration number, so this is not a qualified invoice',
        '登録番号がないため、適格請求書ではありません',
      ),
    ];
  }
  const warnings: ReceivedWarning[] = [];
  if (!isCorporateNumber(registration_number.slice(1))) {
    warnings.push(
      warning(
        'registration_number_checksum',
        'The digits are not those of a corporate number; check them unless the sender is a sole trader',
        '法人番号の検査用数字と一致しません。差出人が個人事業者でない場合は確認してください',
      ),
    );
  }
  if (company_registration_number !== null && company_registration_number !== registration_number) {
    warnings.push(
      warning(
        'registration_number_differs',
        `The company has ${company_registration_number}`,
        `取引先に登録されている番号は ${company_registration_number} です`,
      ),
    );
  }
  return warnings;
}

type Period = { transaction_from: string | null; transaction_to: string | null };

/**
 * One day decides the rate and the share of what the paper does not date: the last one of a period. Warns where another
 * day of the period would decide otherwise.
 */
export function periodWarnings(
  { transaction_from: from, transaction_to: to }: Period,
  invoice: TaxedInvoice,
  context: InputTaxContext,
): ReceivedWarning[] {
  if (from === null || to === null) return [];
  const undated = invoice.rows.filter(({ is_dated }) => !is_dated);
  const warnings: ReceivedWarning[] = [];
  if (undated.some(({ tax_category }) => changesWithin(tax_category, from, to))) {
    const message = {
      en: `A tax rate changed within the period; all that has no date of its own has the rate of ${to}`,
      ja: `期間内に税率が変わっています。日付のない金額にはすべて ${to} の税率が適用されます`,
    };
    warnings.push({ path: '/transaction_period', code: 'period_spans_rate_change', message });
  }
  if (undated.some(isTaxed) && shareOn(from, invoice, context) !== shareOn(to, invoice, context)) {
    const message = {
      en: `The deductible share changed within the period; state the sums by transaction_date, or all have the share of ${to}`,
      ja: `期間内に控除割合が変わっています。transaction_date ごとの内訳がない金額には ${to} の割合が適用されます`,
    };
    warnings.push({ path: '/transaction_period', code: 'period_spans_share_change', message });
  }
  return warnings;
}

function isTaxed({ tax_rate }: TaxRow): boolean {
  return tax_rate > 0;
}
