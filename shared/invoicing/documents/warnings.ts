import { numberWarnings, type Warning } from '../../crm/corporate-number.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import { changesWithin } from '../tax/rates.ts';
import type { DocumentRecord } from './record.ts';

/** What warnings follow from; the lines are not among it, so lists have the same ones. */
type Warned = Pick<DocumentRecord, 'kind' | 'transaction_from' | 'transaction_to' | 'tax_breakdown'>;

/** What is odd about a document with that registration number of the issuer, though it was accepted. */
export function documentWarnings(record: Warned, issuer_registration_number: string | null): Warning[] {
  return [...registrationWarnings(record.kind, issuer_registration_number), ...periodWarnings(record)];
}

function registrationWarnings(kind: Warned['kind'], issuer_registration_number: string | null): Warning[] {
  const path = '/issuer_registration_number';
  if (kind === 'invoice' && issuer_registration_number === null) {
    return [{ path, code: 'no_registration_number', message: unregistered().en }];
  }
  return numberWarnings({ invoice_registration_number: issuer_registration_number }).map(({ message }) => ({
    path,
    code: 'registration_number_checksum',
    message,
  }));
}

/** One day decides the rates of a document: the last one of a period. */
function periodWarnings({ transaction_from, transaction_to, tax_breakdown }: Warned): Warning[] {
  if (transaction_from === null || transaction_to === null) return [];
  if (!tax_breakdown.some((sum) => changesWithin(sum.tax_category, transaction_from, transaction_to))) {
    return [];
  }
  const message = rateOf(transaction_to).en;
  return [{ path: '/transaction_period', code: 'period_spans_rate_change', message }];
}

const unregistered = () => ({
  en: 'The settings hold no registration number, so this is no qualified invoice',
  ja: '設定に登録番号がないため、適格請求書になりません',
});

const rateOf = (day: string) => ({
  en: `A tax rate changed within the period; all lines have the rate of ${day}`,
  ja: `期間内に税率が変わっています。すべての明細に ${day} の税率が適用されます`,
});

/** What the warnings of documents say, beside those of companies. */
export const invoicingWarnings: readonly Sentence[] = [unregistered, rateOf];
