import { z } from 'zod';
import { exampleDocument } from '../../shared/invoicing/documents/example.ts';
import { kinds, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import { documentSchemas } from '../../shared/invoicing/documents/shape.ts';
import { receivedQuotationActions } from '../../shared/received/actions/quotations.ts';
import { Answer } from '../http/declaration.ts';
import { type Endpoint, write } from '../http/endpoint.ts';
import { replyOf } from '../invoicing/documents.ts';
import { actionOn, changing } from './actions.ts';
import { everyKindCalls } from './every-kind-calls.ts';

/** What quotations are converted into. */
const MADE: WrittenKind = 'purchase_order';

const { approve, convert } = receivedQuotationActions;

export const receivedQuotationCalls = [
  changing('quotation', 'approve', approve, {
    summary: 'Approve a received quotation',
    description:
      'It must have a company and an `issue_date`; `incomplete` lists what is missing. Past `due_date` it is refused as ' +
      '`expired` unless `force` is true.',
    raises: ['incomplete'],
  }),
  ...everyKindCalls('quotation'),
  conversion(),
];

function conversion(): Endpoint {
  return write({
    ...actionOn('quotation', 'convert', convert, ['unknown_reference', 'already_exists']),
    domain_scope: 'invoicing:write',
    summary: 'Convert a received quotation to a purchase order',
    description:
      'Makes a draft of today to the supplier with the lines of an approved quotation, once: again only when that order ' +
      'was deleted. The tax is found anew. The body may put any field in the place of what would be copied, and names the ' +
      'company where the quotation does not.',
    body: convert.body!,
    status: 201,
    reply: z.strictObject({ [MADE]: documentSchemas[MADE] }),
    example: { [MADE]: exampleDocument(MADE, 'draft') },
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) => {
      const order = await convert.act(work, params.id, body, { mail_limits, bookkeeping, seal });
      const Location = `/api/v1/${kinds[MADE].path}/${order.id}`;
      return new Answer(201, await replyOf(work, MADE, order), { Location });
    },
  });
}
