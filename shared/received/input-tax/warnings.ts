import { isCorporateNumber } from '../../crm/corporate-number.ts';
import { changesWithin } from '../../invoicing/tax/rates.ts';
import type { Text } from '../../kernel/language.ts';
import type { ReceivedWarning, TaxRow } from '../amounts/record.ts';
import { numberDiffers, numberMissing, rateOf, shareChanges, strangeDigits } from '../warnings.ts';
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
  const warning = (code: string, message: Text): ReceivedWarning => ({
    path: '/registration_number',
    code,
    message,
  });
  if (registration_number === null) {
    if (!is_invoice) return [];
    return [warning('registration_number_missing', numberMissing())];
  }
  const warnings: ReceivedWarning[] = [];
  if (!isCorporateNumber(registration_number.slice(1))) {
    warnings.push(warning('registration_number_checksum', strangeDigits()));
  }
  if (company_registration_number !== null && company_registration_number !== registration_number) {
    warnings.push(warning('registration_number_differs', numberDiffers(company_registration_number)));
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
    const message = rateOf(to);
    warnings.push({ path: '/transaction_period', code: 'period_spans_rate_change', message });
  }
  if (undated.some(isTaxed) && shareOn(from, invoice, context) !== shareOn(to, invoice, context)) {
    const message = shareChanges(to);
    warnings.push({ path: '/transaction_period', code: 'period_spans_share_change', message });
  }
  return warnings;
}

function isTaxed({ tax_rate }: TaxRow): boolean {
  return tax_rate > 0;
}
