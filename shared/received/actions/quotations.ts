import { recordAction } from '../../platform/batches/action.ts';
import { convertQuotation } from '../convert/quotation.ts';
import { approveQuotation } from '../transitions/decide.ts';
import { QuotationApproval, ReceivedQuotationConversion } from './bodies.ts';

/** What is done to received quotations alone. */
export const receivedQuotationActions = {
  approve: recordAction({
    scope: 'approvals:write',
    body: QuotationApproval,
    act: (work, id, { force = false }) => approveQuotation(work, id, force),
  }),
  convert: recordAction({
    scope: 'received:write',
    status: 201,
    body: ReceivedQuotationConversion,
    act: convertQuotation,
  }),
};
