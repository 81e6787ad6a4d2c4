import { z } from 'zod';
import { convertQuotation } from '../../shared/invoicing/convert/operations.ts';
import { QuotationConversion } from '../../shared/invoicing/convert/record.ts';
import { acceptQuotation, rejectQuotation } from '../../shared/invoicing/transitions/answer.ts';
import { sendDocument } from '../../shared/invoicing/transitions/send.ts';
import { text } from '../../shared/kernel/schema.ts';
import { changing, makingInvoice } from './actions.ts';

const Acceptance = z
  .strictObject({
    force: z.boolean().describe('Accepts it although its validity has passed.').optional(),
  })
  .meta({ id: 'QuotationAcceptance' });

const Rejection = z
  .strictObject({
    reason: text(1000)
      .nullable()
      .optional()
      .meta({ examples: ['他社に決まったため'] }),
  })
  .meta({ id: 'QuotationRejection' });

export const quotationActions = [
  changing('quotation', 'send', {
    summary: 'Send a quotation',
    description:
      'Marks it as sent, without a mail. It gets its number, nothing that it prints changes any more, and its PDF is made.',
    act: (work, id) => sendDocument(work, 'quotation', id),
  }),
  changing('quotation', 'accept', {
    summary: 'Accept a quotation',
    description: 'The customer took it. Past `due_date` it is refused as `expired` unless `force` is true.',
    body: Acceptance,
    act: (work, id, { force = false }) => acceptQuotation(work, id, force),
  }),
  changing('quotation', 'reject', {
    summary: 'Reject a quotation',
    description: 'The customer declined it.',
    body: Rejection,
    act: (work, id, { reason = null }) => rejectQuotation(work, id, reason),
  }),
  makingInvoice('quotation', 'convert', {
    summary: 'Convert a quotation to an invoice',
    description:
      'Makes a draft of today with the lines of an accepted quotation, once: again only when that invoice was deleted ' +
      'or cancelled. The tax is found anew. The body may put any field in the place of what would be copied.',
    body: QuotationConversion,
    raises: ['unknown_reference', 'already_exists'],
    act: convertQuotation,
  }),
];
