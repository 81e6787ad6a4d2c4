import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mapOfChart } from '../../../../shared/accounting/settings/account-map.ts';
import type { Booking, Books, SourceLine } from '../../../../shared/accounting/sources/booking.ts';
import { creditNoteEntry, invoiceEntry } from '../../../../shared/accounting/sources/documents.ts';
import { paymentEntry, type SourcePayment } from '../../../../shared/accounting/sources/payments.ts';
import { balanceOf } from '../../../../shared/invoicing/payments/status.ts';
import { taxDisplayModes } from '../../../../shared/invoicing/tax/breakdown.ts';
import { taxCategories, taxRateOn } from '../../../../shared/invoicing/tax/rates.ts';
import { taxRoundings } from '../../../../shared/invoicing/tax/rounding.ts';
import {
  type CountedLine,
  creditTotals,
  type DocumentRules,
  totalsOf,
} from '../../../../shared/invoicing/tax/totals.ts';
import { withholdingModes } from '../../../../shared/invoicing/tax/withholding.ts';
import { balance, linesOf } from './books.ts';

const DAY = '2026-04-01';
const days = { transaction_date: DAY, transaction_to: null };

const documentLine: fc.Arbitrary<CountedLine> = fc
  .record({
    tax_category: fc.constantFrom(...taxCategories),
    amount: fc.oneof(fc.bigInt(-200n, 200n), fc.bigInt(-9_999_999_999n, 9_999_999_999n)),
    withholding: fc.boolean(),
  })
  .map((part) => ({ ...part, tax_rate: taxRateOn(part.tax_category, DAY)! }));

/** The lines of an invoice in the parts that its credit notes take back, the last of which is never taken. */
const parts = fc.array(fc.array(documentLine, { maxLength: 4 }), { minLength: 1, maxLength: 4 });

const rules: fc.Arbitrary<DocumentRules> = fc.record({
  display_mode: fc.constantFrom(...taxDisplayModes),
  rounding: fc.constantFrom(...taxRoundings),
  withholding_mode: fc.constantFrom(...withholdingModes),
});

const books: fc.Arbitrary<Books> = fc.record({
  account_map: fc.constant(mapOfChart),
  tax_books: fc.constantFrom('exclusive', 'inclusive'),
  tax_rounding: fc.constantFrom(...taxRoundings),
});

const amount = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 99_999_999 }));

/** Payments as invoicing takes them: of 1 yen or more, not below their fee and what was withheld. */
const payment: fc.Arbitrary<SourcePayment> = fc
  .record({
    received: amount,
    fee_amount: amount,
    withheld_amount: amount,
    fee_borne_by: fc.constantFrom('us', 'customer'),
    method: fc.constantFrom('bank_transfer', 'cash', 'card', 'offset', 'other'),
  })
  .map(({ received, ...rest }) => ({
    ...rest,
    company_id: 'comp_1',
    paid_on: DAY,
    amount: received + rest.withheld_amount + (rest.fee_borne_by === 'us' ? rest.fee_amount : 0),
  }))
  .filter((made) => made.amount > 0);

const documentOf = (totals: ReturnType<typeof totalsOf>) => ({ company_id: 'comp_1', ...totals });

/** The lines of what was made; none of what comes to nothing. */
function booked(made: Booking): SourceLine[] {
  return made.outcome === 'nothing_to_post' ? [] : linesOf(made);
}

/** The totals of credit notes, one a part. */
function creditsOf(taken: readonly CountedLine[][], how: DocumentRules) {
  return taken.map((own, index) => creditTotals(taken.slice(0, index).flat(), own, how));
}

describe('for any invoice with its payments and credit notes', () => {
  const sale = fc.record({ parts, rules, books, payments: fc.array(payment, { maxLength: 4 }) });

  it('each entry balances, in two lines or more that stand on one side each', () => {
    fc.assert(
      fc.property(sale, (made) => {
        const invoice = documentOf(totalsOf(made.parts.flat(), made.rules));
        const notes = creditsOf(made.parts.slice(0, -1), made.rules);
        const entries = [
          invoiceEntry({ ...invoice, ...days }, made.books),
          ...notes.map((note) => creditNoteEntry({ ...documentOf(note), issue_date: DAY }, made.books)),
          ...made.payments.map((each) => paymentEntry(each, made.books)),
        ];
        for (const lines of entries.map(booked)) {
          assert.equal(balance(lines), 0);
          assert.notEqual(lines.length, 1);
          for (const { debit, credit } of lines) {
            assert.equal(Math.min(debit, credit), 0);
            assert.ok(Math.max(debit, credit) >= 1);
          }
        }
      }),
    );
  });

  it('receivable has the balance of the invoice', () => {
    fc.assert(
      fc.property(sale, (made) => {
        const invoice = documentOf(totalsOf(made.parts.flat(), made.rules));
        const notes = creditsOf(made.parts.slice(0, -1), made.rules);
        const lines = [
          ...booked(invoiceEntry({ ...invoice, ...days }, made.books)),
          ...notes.flatMap((note) =>
            booked(creditNoteEntry({ ...documentOf(note), issue_date: DAY }, made.books)),
          ),
          ...made.payments.flatMap((each) => booked(paymentEntry(each, made.books))),
        ];
        const open = balanceOf({
          amount_due: invoice.amount_due,
          amount_paid: made.payments.reduce((sum, each) => sum + BigInt(each.amount), 0n),
          credited: notes.reduce((sum, { amount_due }) => sum + amount_due, 0n),
        });
        assert.equal(BigInt(balance(lines, '1220')), open);
      }),
    );
  });

  it('what is credited whole leaves sales against their returns, and no tax, claim or tax withheld', () => {
    fc.assert(
      fc.property(parts, rules, books, (taken, how, own) => {
        const invoice = documentOf(totalsOf(taken.flat(), how));
        const lines = [
          ...booked(invoiceEntry({ ...invoice, ...days }, own)),
          ...creditsOf(taken, how).flatMap((note) =>
            booked(creditNoteEntry({ ...documentOf(note), issue_date: DAY }, own)),
          ),
        ];
        for (const account of ['1220', '1590', '2385']) assert.equal(balance(lines, account), 0, account);
        const sales = ['4110', '4120', '4140', '4150'].reduce((sum, code) => sum + balance(lines, code), 0);
        assert.equal(sales + balance(lines, '4190'), 0);
      }),
    );
  });
});
