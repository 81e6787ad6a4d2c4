import { type Booking, type Books, booking, type Part } from './booking.ts';
import type { Place } from './places.ts';
import { returnCategory, type SoldAs, saleCategory, type TaxedRate } from './sales-categories.ts';

/** The sums of one category of a document; `net + tax = gross`, in yen of twelve digits at most. */
type CategorySums = TaxedRate & { net: bigint; tax: bigint; gross: bigint };

/** What the entries of invoices and credit notes are made from. */
type SourceDocument = {
  company_id: string;
  amount_due: bigint;
  withholding_tax: bigint;
  tax_breakdown: readonly CategorySums[];
};

/** An invoice as its entry takes it. The day of the transaction, or the last one of its period, is there. */
export type SourceInvoice = SourceDocument & {
  transaction_date: string | null;
  transaction_to: string | null;
};

/** A credit note as its entry takes it; positive amounts take back. */
export type SourceCreditNote = SourceDocument & { issue_date: string };

/** The entry of an approved invoice: what is due and what is withheld, against sales and their tax by category. */
export function invoiceEntry(invoice: SourceInvoice, books: Books): Booking {
  const date = invoice.transaction_to ?? invoice.transaction_date;
  if (date === null) throw new Error('The invoice has neither a transaction date nor a period');
  const sold = categoryParts(invoice, books, {
    side: 'credit',
    place: (tax_category) => `sales/${tax_category}`,
    codeOf: saleCategory,
  });
  if ('outcome' in sold) return sold;
  return booking(
    { date, company_id: invoice.company_id, parts: [...dueParts(invoice, 'debit'), ...sold.parts] },
    books,
  );
}

/** The entry of a credit note: returns and their tax by category, against what is due less and withheld less. */
export function creditNoteEntry(note: SourceCreditNote, books: Books): Booking {
  const back = categoryParts(note, books, {
    side: 'debit',
    place: () => 'sales_returns',
    codeOf: returnCategory,
  });
  if ('outcome' in back) return back;
  return booking(
    {
      date: note.issue_date,
      company_id: note.company_id,
      parts: [...back.parts, ...dueParts(note, 'credit')],
    },
    books,
  );
}

function dueParts({ amount_due, withholding_tax }: SourceDocument, side: Part['side']): Part[] {
  return [
    { place: 'receivable', side, amount: Number(amount_due), tax_category: 'O' },
    { place: 'withheld', side, amount: Number(withholding_tax), tax_category: 'O' },
  ];
}

type Categories = {
  side: Part['side'];
  place: (tax_category: SoldAs) => Place;
  codeOf: (taxed: TaxedRate) => string | null;
};

/** The net and the tax of each category, or its gross where the books hold amounts with tax. */
function categoryParts(
  { tax_breakdown }: SourceDocument,
  { tax_books }: Books,
  { side, place, codeOf }: Categories,
): { parts: Part[] } | Extract<Booking, { outcome: 'no_tax_category' }> {
  const missing: TaxedRate[] = [];
  const parts = tax_breakdown.flatMap(({ tax_category, tax_rate, net, tax, gross }): Part[] => {
    if (net === 0n && tax === 0n) return [];
    const code = codeOf({ tax_category, tax_rate });
    if (code === null) {
      missing.push({ tax_category, tax_rate });
      return [];
    }
    const own = { side, tax_category: code };
    if (tax_books === 'inclusive') return [{ ...own, place: place(tax_category), amount: Number(gross) }];
    return [
      { ...own, place: place(tax_category), amount: Number(net) },
      { ...own, place: 'output_tax', amount: Number(tax) },
    ];
  });
  return missing.length > 0 ? { outcome: 'no_tax_category', missing } : { parts };
}
