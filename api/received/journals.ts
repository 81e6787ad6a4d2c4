import { z } from 'zod';
import { JournalOfRecord } from '../../shared/accounting/sources/record.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { journalOfReceived } from '../../shared/received/journals/operations.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';

const JournalOfInvoice = z
  .strictObject({
    payment_id: id('rpay')
      .describe('The payment whose entry is asked for; that of the invoice unless said.')
      .optional(),
    post: z.boolean().describe('true posts the entry in the same commit.').optional(),
    preview: z.boolean().describe('true shows the entry and stores nothing.').optional(),
  })
  .meta({ id: 'ReceivedInvoiceJournal', examples: [{ post: true }] });

/** Entries of received invoices and their payments. */
export const receivedJournals = [
  write({
    id: 'received.invoices.journals.create',
    method: 'post',
    path: '/api/v1/received-invoices/:id/journals',
    scope: 'accounting:write',
    domain_scope: 'received:write',
    status: 201,
    also: [200],
    summary: 'Make the entry of a received invoice',
    description:
      'Of an approved invoice on its `posting_date`, or of a payment on `paid_on`, with the accounts of its lines and of the ' +
      'account map. Each has one posted entry at most, until that is voided; two payments that set off one amount have one ' +
      'together. `preview` answers 200 with the entry and stores nothing. With `auto_journal` of the accounting settings, ' +
      'entries are made without this call.',
    params: byId('rinv'),
    body: JournalOfInvoice,
    reply: z.strictObject({ journal: JournalOfRecord }),
    raises: [
      'no_fiscal_year',
      'fiscal_year_closed',
      'period_locked',
      'unknown_reference',
      'invalid_transition',
      'has_journal',
      'nothing_to_post',
      'no_tax_category',
      'account_map_incomplete',
      'inactive_account',
      'approval_required',
      'amount_too_large',
    ],
    handle: async ({ params, body }, work) => {
      const journal = await journalOfReceived(work, params.id, body);
      if (body.preview) return new Answer(200, { journal });
      return new Answer(201, { journal }, { Location: `/api/v1/accounting/journals/${journal.id}` });
    },
  }),
];
