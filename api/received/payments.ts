import { z } from 'zod';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { receivedInvoiceActions } from '../../shared/received/actions/invoices.ts';
import { DueInvoices, dueInvoices } from '../../shared/received/payments/due.ts';
import { deleteReceivedPayment } from '../../shared/received/payments/operations.ts';
import { ReceivedPayment, ReceivedPaymentInput } from '../../shared/received/payments/record.ts';
import { refusalsOf } from '../../shared/received/transitions/allowed.ts';
import { read, write } from '../http/endpoint.ts';
import { receivedReply, receivedReplySchema } from './documents.ts';

const PATH = '/api/v1/received-invoices';

const paying = receivedInvoiceActions['mark-paid'];

const PaidReply: z.ZodObject<Record<string, z.ZodType>> = z.strictObject({
  ...receivedReplySchema('invoice').shape,
  payment: ReceivedPayment,
});

/** Payments of received invoices, and what is still to be paid. */
export const receivedPayments = [
  write({
    id: 'received.invoices.mark_paid',
    method: 'post',
    path: `${PATH}/:id/mark-paid`,
    scope: paying.scope,
    summary: 'Mark a received invoice as paid',
    description:
      'Records a payment, of the whole balance unless an amount is sent. The amount has the sign of the balance and is not ' +
      'beyond it. The status follows: `partially_paid` while a balance is left, `paid` at 0. The invoice leaves its transfer ' +
      'file. With `auto_journal` of the accounting settings the entry of the payment is made in the same commit; what the ' +
      'books refuse refuses the call.',
    params: byId('rinv'),
    body: ReceivedPaymentInput,
    reply: PaidReply,
    raises: [
      ...refusalsOf('invoice', 'mark-paid'),
      'received_future_date',
      'already_exists',
      ...bookkeepingRefusals,
    ],
    handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) => {
      const given = { mail_limits, bookkeeping, seal };
      const { invoice, payment } = await paying.act(work, params.id, body, given);
      return { ...(await receivedReply(work, invoice)), payment };
    },
  }),
  write({
    id: 'received.invoices.payments.delete',
    method: 'delete',
    path: `${PATH}/:id/payments/:payment_id`,
    scope: 'received:write',
    summary: 'Delete a payment of a received invoice',
    description:
      'For one that was recorded by mistake. The status follows: `approved` once none is left, else `partially_paid` or ' +
      '`paid`. Its posted entry is taken back by a mirror in the same commit, on the later of today and the day of the entry, ' +
      'or the last day before that is open to you; drafts of its entry are removed. The entry of an offset stands until the ' +
      'payment on the other side is deleted, too.',
    params: z.object({ id: id('rinv'), payment_id: id('rpay') }),
    reply: receivedReplySchema('invoice'),
    raises: [...refusalsOf('invoice', 'delete-payment'), ...bookkeepingRefusals],
    handle: async ({ params }, work) =>
      receivedReply(work, await deleteReceivedPayment(work, params.id, params.payment_id)),
  }),
  read({
    id: 'received.invoices.due',
    method: 'get',
    path: `${PATH}/due`,
    scope: 'received:read',
    summary: 'Read what is to be paid',
    description:
      'Received invoices that are approved and not paid, with their balances, by day or by company.',
    query: z.strictObject({
      to: day().describe('Leaves what is due on this day or before.').optional(),
      group_by: z.enum(['date', 'company']).default('date'),
    }),
    reply: DueInvoices,
    handle: ({ query }, reader) => dueInvoices(reader, query),
  }),
];
