import { words } from '../kernel/vocabulary.ts';

/** The words of invoicing. Words are never renamed: callers store them. */
export const invoicingWords = words({
  prefixes: {
    quotation: 'quo',
    invoice: 'inv',
    delivery_note: 'dn',
    purchase_order: 'po',
    credit_note: 'cn',
    document_line: 'li',
    payment: 'pay',
  },
  failures: {
    frozen: {
      status: 409,
      title: 'The document was issued and cannot change',
      help: 'After issue only internal_memo, external_id and metadata change. Revise the document, or correct it with a credit note.',
    },
    already_converted: {
      status: 409,
      title: 'The document was converted already',
      help: '"converted_to" names what it was converted into. Delete or cancel that one first to convert it again.',
    },
    already_revised: {
      status: 409,
      title: 'A revision of the document is open',
      help: 'Approve or delete that draft first; "open_revision_id" names it.',
    },
    has_payments: {
      status: 409,
      title: 'The invoice has payments',
      help: 'Delete its payments first, or correct it with a credit note.',
    },
    has_credit_notes: {
      status: 409,
      title: 'The invoice has credit notes',
      help: 'What was credited cannot be taken back; correct the rest with another credit note.',
    },
    quotation_expired: {
      status: 409,
      code: 'expired',
      title: 'The quotation is past its validity',
      help: 'Send "force": true to accept it all the same.',
    },
    overpayment: {
      status: 422,
      title: 'The payment is more than what is owed',
      help: '"detail" names the balance. Record what exceeds it elsewhere.',
    },
    future_date: {
      status: 422,
      title: 'The day lies more than 31 days ahead',
      help: 'Check the year. Send "allow_future": true where the day is meant.',
    },
    over_credit: {
      status: 422,
      title: 'More would be credited than was invoiced',
      help: '"errors" names the lines. Credit what is left of them at most.',
    },
    not_qualified: {
      status: 422,
      title: 'The document lacks what a qualified invoice must hold',
      help: '"errors" names everything that is missing.',
    },
    modes_differ: {
      status: 422,
      title: 'The documents differ in tax mode, rounding or withholding',
      help: 'Convert them into separate invoices.',
    },
    no_recipient: {
      status: 422,
      title: 'There is nobody to send the mail to',
      help: 'Name recipients in "to", or give the contact or the company an e-mail address.',
    },
  },
  events: [
    'invoice.created',
    'invoice.updated',
    'invoice.deleted',
    'invoice.approved',
    'invoice.sent',
    'invoice.paid',
    'invoice.cancelled',
    'conversion.completed',
  ],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    invoicing: typeof invoicingWords;
  }
}
