import type { Database } from '../../shared/db/database.ts';
import { daysLater } from '../../shared/kernel/days.ts';
import { searchText } from '../../shared/platform/search/lines.ts';
import { NO_INPUT_TAX } from '../../shared/received/documents/fields.ts';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { TestActor } from './actors.ts';
import { fill, writtenGrams } from './many-records.ts';

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

const SUBJECTS = ['コーヒー豆', '保守料', '事務用品', '送料', '制作費', '広告掲載', '会場費'];

/** Of ten invoices, the statuses: most are paid, as in an organization that has worked for years. */
const INVOICE_STATUSES = [
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'partially_paid',
  'approved',
  'rejected',
  'pending',
];

/** The day of issue of the first document; from there on there are so many a day that the last ones are of today. */
const DAYS = 1_000;

/**
 * Received documents of a kind without lines and files, over the last thousand days, the newest last, of the companies in turn; every
 * ten-thousandth has a subject and a sender that no other has. Every seventh sender has no registration number. Of the invoices
 * before the last 300 that were approved, all are paid. Answers their IDs.
 */
export async function seedReceived(
  database: Database,
  owner: Owner,
  kind: ReceivedKind,
  { companies, count }: { companies: readonly string[]; count: number },
): Promise<string[]> {
  const last_day = new Date().toISOString().slice(0, 10);
  const first_day = daysLater(last_day, -DAYS);
  const { prefix, statuses } = kinds[kind];
  return fill(database, owner, 'received_documents', prefix, count, (n, { created_at }) => {
    const issue_date = daysLater(first_day, Math.floor((n * DAYS) / count));
    const status = kind === 'invoice' ? invoiceStatus(n, count) : statuses[n % statuses.length]!;
    const total = 1_100 * ((n % 97) + 1);
    const rare = n % 10_000 === 17 ? '勅使河原' : '';
    const number = `${issue_date.slice(0, 4)}-${n}`;
    const subject = `${rare}${SUBJECTS[n % SUBJECTS.length]}${n}`;
    const company_name = `${rare}仕入先${n % companies.length}株式会社`;
    const qualified = n % 7 !== 0;
    const registration_number = qualified ? 'T7000012050002' : null;
    const company_id = companies[n % companies.length]!;
    const [search_text, partner_text] = [
      searchText([number, subject, company_name, registration_number]),
      searchText([company_name]),
    ];
    const isDecided = !['pending', 'rejected'].includes(status);
    const amount_paid = { paid: total, partially_paid: total / 2 }[status] ?? 0;
    return {
      kind,
      number,
      external_id: n % 10 === 0 ? `K-${n}` : null,
      status,
      company_id,
      company_key: company_id,
      company_name,
      registration_number,
      qualified,
      subject,
      issue_date,
      transaction_date: issue_date,
      received_on: issue_date,
      retention_date: issue_date,
      due_date: kind === 'delivery_note' ? null : daysLater(issue_date, 30),
      tax_display_mode: 'exclusive',
      tax_rounding: 'floor',
      withholding_mode: 'none',
      currency: 'JPY',
      subtotal: (total / 11) * 10,
      tax: total / 11,
      total,
      withholding_tax: 0,
      amount_due: total,
      tax_breakdown: [],
      tax_differences: [],
      received_via: 'api',
      deduction_basis: 'auto',
      input_tax: NO_INPUT_TAX,
      non_deductible: qualified ? 0 : Math.floor((total / 11) * 0.3),
      match_mode: kind === 'invoice' ? 'three_way' : null,
      warnings: [],
      missing: [],
      file_count: 0,
      amount_paid,
      balance: kind === 'invoice' ? total - amount_paid : 0,
      approved_by: isDecided ? owner.user_id : null,
      approved_at: isDecided ? created_at : null,
      posting_date: isDecided && kind === 'invoice' ? issue_date : null,
      paid_on: status === 'paid' ? daysLater(issue_date, 25) : null,
      paid_at: status === 'paid' ? `${daysLater(issue_date, 25)}T03:00:00Z` : null,
      metadata: {},
      search_text,
      search_grams: writtenGrams(search_text),
      partner_text,
      partner_grams: writtenGrams(partner_text),
      created_by: owner.user_id,
    };
  });
}

function invoiceStatus(n: number, count: number): string {
  const status = INVOICE_STATUSES[n % INVOICE_STATUSES.length]!;
  if (n >= count - 300) return status === 'paid' ? 'approved' : status;
  return ['approved', 'partially_paid'].includes(status) ? 'paid' : status;
}
