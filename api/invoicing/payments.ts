import { z } from 'zod';
import { invoiceActions } from '../../shared/invoicing/actions/invoices.ts';
import { Invoice } from '../../shared/invoicing/documents/shape.ts';
import { paymentExport } from '../../shared/invoicing/exports/payments.ts';
import { changePayment, recordPayment } from '../../shared/invoicing/payments/operations.ts';
import { paymentById, paymentPage, paymentPageOf } from '../../shared/invoicing/payments/queries.ts';
import {
  Payment,
  PaymentInput,
  PaymentPatch,
  paymentKind,
  paymentMethods,
} from '../../shared/invoicing/payments/record.ts';
import { deletePayment } from '../../shared/invoicing/payments/take-back.ts';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT } from '../http/resource.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { exampleAfter } from './actions.ts';
import { BOOKED_TOO, TAKEN_BACK_TOO } from './booked.ts';

const PAYMENT = z.object({ id: id('inv'), payment_id: id('pay') });

const PaidReply = z.strictObject({ invoice: Invoice, payment: Payment });

const paying = {
  scope: 'invoicing:write',
  params: byId('inv'),
  body: PaymentInput,
  reply: PaidReply,
  example: exampleAfter('invoice', 'mark-paid'),
  raises: ['invalid_transition', 'overpayment', 'future_date', 'already_exists', ...bookkeepingRefusals],
} as const;

const EFFECT =
  'More than the balance is refused. The status follows: `partially_paid` while a balance is left, `paid` at 0, with ' +
  `\`invoice.paid\` when it becomes so and \`invoice.updated\` otherwise. ${BOOKED_TOO}`;

const paymentsListed = list({
  id: 'invoicing.payments.list',
  path: '/api/v1/payments',
  scope: 'invoicing:read',
  summary: 'List payments',
  description: '`paid_from` and `paid_to` go by `paid_on`, both included.',
  item: Payment,
  looked_up: paymentKind,
  filters: z.object({
    company_id: id('comp').optional(),
    paid_from: day().optional(),
    paid_to: day().optional(),
    method: z.enum(paymentMethods).optional(),
  }),
  sorts: ['paid_on', 'paid_at'],
  handle: ({ filters, window }, reader) => paymentPage(reader, filters, window),
});

export const payments = [
  paymentsListed,
  exportOf(paymentsListed, paymentExport),
  write({
    id: 'invoicing.invoices.mark_paid',
    method: 'post',
    path: '/api/v1/invoices/:id/mark-paid',
    summary: 'Mark an invoice as paid',
    description: `Records a payment, of the whole balance unless an amount is sent. ${EFFECT}`,
    ...paying,
    handle: ({ params, body, mail_limits, bookkeeping, seal }, work) =>
      invoiceActions['mark-paid'].act(work, params.id, body, { mail_limits, bookkeeping, seal }),
  }),
  list({
    id: 'invoicing.invoices.payments.list',
    path: '/api/v1/invoices/:id/payments',
    scope: 'invoicing:read',
    summary: 'List the payments of an invoice',
    description: 'Of every method, partial ones too. Their `amount`s add up to what is paid of the invoice.',
    params: byId('inv'),
    item: Payment,
    looked_up: paymentKind,
    sorts: ['paid_on', 'paid_at'],
    handle: ({ params, filters, window }, reader) => paymentPageOf(reader, params.id, filters, window),
  }),
  write({
    id: 'invoicing.invoices.payments.create',
    method: 'post',
    path: '/api/v1/invoices/:id/payments',
    summary: 'Record a payment of an invoice',
    description: EFFECT,
    status: 201,
    ...paying,
    handle: async ({ params, body, bookkeeping }, work) => {
      const paid = await recordPayment(work, params.id, body, bookkeeping);
      const Location = `/api/v1/invoices/${params.id}/payments/${paid.payment.id}`;
      return new Answer(201, paid, { Location });
    },
  }),
  read({
    id: 'invoicing.invoices.payments.get',
    method: 'get',
    path: '/api/v1/invoices/:id/payments/:payment_id',
    scope: 'invoicing:read',
    summary: 'Read a payment of an invoice',
    description: 'A payment of another invoice is 404.',
    params: PAYMENT,
    reply: z.strictObject({ payment: Payment }),
    handle: async ({ params }, reader) => ({
      payment: await paymentById(reader, params.id, params.payment_id),
    }),
  }),
  write({
    id: 'invoicing.invoices.payments.update',
    method: 'patch',
    path: '/api/v1/invoices/:id/payments/:payment_id',
    scope: 'invoicing:write',
    summary: 'Change a payment of an invoice',
    description: `${FIELDS_SENT} What was paid never changes: delete the payment and record another.`,
    params: PAYMENT,
    body: PaymentPatch,
    reply: z.strictObject({ payment: Payment }),
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({
      payment: await changePayment(work, params.id, params.payment_id, body),
    }),
  }),
  write({
    id: 'invoicing.invoices.payments.delete',
    method: 'delete',
    path: '/api/v1/invoices/:id/payments/:payment_id',
    scope: 'invoicing:write',
    summary: 'Delete a payment of an invoice',
    description:
      'For one that was recorded by mistake. The status follows: what it was before the first payment once none is ' +
      `left, else \`partially_paid\` or \`paid\`. What a deposit paid by it is unallocated again. ${TAKEN_BACK_TOO}`,
    params: PAYMENT,
    reply: Deleted,
    raises: ['invalid_transition', ...bookkeepingRefusals],
    handle: async ({ params, bookkeeping }, work) => {
      await deletePayment(work, params.id, params.payment_id, bookkeeping);
      return deleted;
    },
  }),
];
