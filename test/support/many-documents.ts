import type { Database } from '../../shared/db/database.ts';
import { type DocumentKind, kinds } from '../../shared/invoicing/documents/kinds.ts';
import { daysLater } from '../../shared/kernel/days.ts';
import { searchText } from '../../shared/platform/search/lines.ts';
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
  'sent',
  'approved',
  'cancelled',
  'draft',
];

/** The day of issue of the first document; from there on there are so many a day that the last ones are of today. */
const DAYS = 1_000;

export type SeededDocuments = { ids: string[]; first_day: string; last_day: string };

/**
 * Documents of a kind without lines, over the last thousand days, the newest last, of the companies in turn; every
 * ten-thousandth has a subject that no other has. The last 300 invoices are not paid; credit notes are of `invoices`.
 */
export async function seedDocuments(
  database: Database,
  owner: Owner,
  kind: DocumentKind,
  { companies, count, invoices }: { companies: string[]; count: number; invoices?: readonly string[] },
): Promise<SeededDocuments> {
  const last_day = new Date().toISOString().slice(0, 10);
  const first_day = daysLater(last_day, -DAYS);
  const { prefix, statuses, has_due_date } = kinds[kind];
  const dayOf = (n: number) => daysLater(first_day, Math.floor((n * DAYS) / count));
  const ids = await fill(database, owner, 'invoicing_documents', prefix, count, (n, { created_at }) => {
    const issue_date = dayOf(n);
    const status = kind === 'invoice' ? invoiceStatus(n, count) : statuses[n % statuses.length]!;
    const total = 1_100 * ((n % 97) + 1);
    const number = status === 'draft' ? null : `${prefix.toUpperCase()}-${issue_date.slice(0, 4)}-${n}`;
    const subject = `${n % 10_000 === 17 ? '勅使河原' : ''}${SUBJECTS[n % SUBJECTS.length]}${n}`;
    const search_text = searchText([number, subject]);
    const isPaid = status === 'paid';
    return {
      kind,
      number,
      status,
      company_id: companies[n % companies.length],
      honorific: '御中',
      subject,
      issue_date,
      transaction_date: issue_date,
      due_date: has_due_date ? daysLater(issue_date, 30) : null,
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
      amount_paid: isPaid ? total : 0,
      credited: 0,
      balance: isPaid ? 0 : total,
      approved_at: status === 'draft' ? null : created_at,
      paid_at: isPaid ? `${daysLater(issue_date, 25)}T03:00:00Z` : null,
      invoice_id: invoices ? invoices[n % invoices.length] : null,
      reason: kind === 'credit_note' ? '返品' : null,
      search_text,
      search_grams: writtenGrams(search_text),
      created_by: owner.user_id,
    };
  });
  await becomeCustomers(database, owner, companies);
  return { ids, first_day, last_day };
}

/** A company has been a customer since its first document. */
async function becomeCustomers(database: Database, { organization_id }: Owner, companies: string[]) {
  await database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE crm_companies SET customer_since = created_at
        WHERE organization_id = $1 AND id = ANY ($2) AND customer_since IS NULL`,
      [organization_id, companies],
    ),
  );
}

/** One payment of each of the invoices, over the last thousand days. */
export function seedPayments(
  database: Database,
  owner: Owner,
  invoices: readonly string[],
): Promise<string[]> {
  const first_day = daysLater(new Date().toISOString().slice(0, 10), -DAYS);
  return fill(database, owner, 'invoicing_payments', 'pay', invoices.length, (n) => ({
    invoice_id: invoices[n],
    paid_at: `${daysLater(first_day, Math.floor((n * DAYS) / invoices.length))}T03:00:00Z`,
    amount: 1_100 * ((n % 97) + 1),
    method: n % 50 === 0 ? 'cash' : 'bank_transfer',
    fee_amount: 0,
    withheld_amount: 0,
    created_by: owner.user_id,
  }));
}

function invoiceStatus(n: number, count: number): string {
  const status = INVOICE_STATUSES[n % INVOICE_STATUSES.length]!;
  return status === 'paid' && n >= count - 300 ? 'sent' : status;
}
