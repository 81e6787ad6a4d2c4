import { z } from 'zod';
import { text } from '../../kernel/schema.ts';
import { recordAction } from '../../platform/batches/action.ts';
import { convertQuotation } from '../convert/operations.ts';
import { QuotationConversion } from '../convert/record.ts';
import { acceptQuotation, rejectQuotation } from '../transitions/answer.ts';
import { sendDocument } from '../transitions/send.ts';

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

/** What is done to quotations alone. */
export const quotationActions = {
  send: recordAction({
    scope: 'invoicing:write',
    act: (work, id) => sendDocument(work, 'quotation', id),
  }),
  accept: recordAction({
    scope: 'invoicing:write',
    body: Acceptance,
    act: (work, id, { force = false }) => acceptQuotation(work, id, force),
  }),
  reject: recordAction({
    scope: 'invoicing:write',
    body: Rejection,
    act: (work, id, { reason = null }) => rejectQuotation(work, id, reason),
  }),
  convert: recordAction({
    scope: 'invoicing:write',
    status: 201,
    body: QuotationConversion,
    act: convertQuotation,
  }),
};
