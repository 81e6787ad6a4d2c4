import { z } from 'zod';
import {
  allocateDeposit,
  changeDeposit,
  createDeposit,
  refundDeposit,
} from '../../shared/invoicing/deposits/operations.ts';
import { depositPage } from '../../shared/invoicing/deposits/queries.ts';
import {
  Deposit,
  DepositAllocations,
  DepositInput,
  DepositPatch,
  DepositRefundInput,
  depositKind,
  depositMethods,
} from '../../shared/invoicing/deposits/record.ts';
import { depositById, depositOf } from '../../shared/invoicing/deposits/rows.ts';
import { depositSuggestions } from '../../shared/invoicing/deposits/suggestions/queries.ts';
import { DepositSuggestions } from '../../shared/invoicing/deposits/suggestions/record.ts';
import { deleteAllocation, deleteDeposit } from '../../shared/invoicing/deposits/take-back.ts';
import { depositExport } from '../../shared/invoicing/exports/deposits.ts';
import { MOST_YEN } from '../../shared/invoicing/payments/record.ts';
import { booleanParameter, day, id, integerParameter, text } from '../../shared/kernel/schema.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';
import { BOOKED_TOO, TAKEN_BACK_TOO } from './booked.ts';
import { depositMatches } from './deposit-matches.ts';

const PATH = '/api/v1/deposits';

const deposit = resource({
  id: 'invoicing.deposits',
  path: PATH,
  domain: 'invoicing',
  one: 'a deposit',
  prefix: 'dep',
});

const DepositReply = z.strictObject({ deposit: Deposit });

/** What may refuse the paying of invoices out of a deposit. */
const ALLOCATING = [
  'unknown_reference',
  'companies_differ',
  'invalid_transition',
  'over_allocated',
  'overpayment',
  ...bookkeepingRefusals,
] as const;

/** The answer of what is made below a deposit, which is told with it. */
function below(made: Deposit): Answer<z.input<typeof DepositReply>> {
  return new Answer(201, { deposit: made }, { Location: `${PATH}/${made.id}` });
}

const listed = list({
  ...deposit.list,
  summary: 'List deposits',
  description:
    'Money as it came in, with the invoices that it pays. `received_from` and `received_to` are days, both included; ' +
    '`has_unallocated` is for what is still to be allocated or paid back.',
  item: Deposit,
  looked_up: depositKind,
  filters: z.object({
    company_id: id('comp').optional(),
    received_from: day().optional(),
    received_to: day().optional(),
    method: z.enum(depositMethods).optional(),
    has_unallocated: booleanParameter().optional(),
  }),
  sorts: ['received_on'],
  handle: ({ filters, window }, reader) => depositPage(reader, filters, window),
});

export const deposits = [
  listed,
  exportOf(listed, depositExport),
  ...depositMatches(listed),
  write({
    ...deposit.create,
    summary: 'Record a deposit',
    description:
      'Money that came in, over any number of invoices of one company, or of none yet: what is not allocated stays with the ' +
      'deposit until it is allocated or paid back. Each allocation is a payment of its invoice with `deposit_id`, on ' +
      '`received_on`, with all that follows from payments. A fee that we bear is part of the first allocation, beside what ' +
      `came in. ${BOOKED_TOO} What is left unallocated is booked as an advance received (前受金).`,
    body: DepositInput,
    reply: DepositReply,
    raises: ['future_date', 'already_exists', ...ALLOCATING],
    handle: async ({ body, bookkeeping }, work) => ({
      deposit: await createDeposit(work, body, bookkeeping),
    }),
  }),
  read({
    id: 'invoicing.deposits.suggestions',
    method: 'get',
    path: `${PATH}/suggestions`,
    scope: 'invoicing:read',
    summary: 'Suggest what a deposit is for',
    description:
      'Ten at most, by who pays (as banks write it: half-width kana without small letters and legal forms), by what the name ' +
      'has paid for before, by amounts, also less a usual fee, and for companies of the name by sums of up to four of their ' +
      'open invoices. What is answered can be sent as `company_id`, `fee_amount` and `allocations` of a deposit. From 90 on ' +
      'name and amount are both right.',
    query: z.strictObject({
      amount: integerParameter(1, MOST_YEN).describe('What came in, in yen.'),
      payer_name: text(100)
        .meta({ examples: ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ'] })
        .optional(),
      received_on: day().describe('Today unless said.').optional(),
    }),
    reply: DepositSuggestions,
    handle: async ({ query }, reader) => ({ items: await depositSuggestions(reader, query) }),
  }),
  read({
    ...deposit.get,
    description: 'With the invoices that it pays and what was paid back of it.',
    reply: DepositReply,
    handle: async ({ params }, reader) => ({ deposit: depositOf(await depositById(reader, params.id)) }),
  }),
  write({
    ...deposit.update,
    description:
      `${FIELDS_SENT} What came in never changes: delete the deposit and record another. The company changes only while ` +
      'nothing is allocated.',
    body: DepositPatch,
    reply: DepositReply,
    raises: ['unknown_reference', 'already_exists', 'has_allocations'],
    handle: async ({ params, body }, work) => ({ deposit: await changeDeposit(work, params.id, body) }),
  }),
  write({
    ...deposit.delete,
    description:
      'For one that was recorded by mistake: the payments that it made go with it, and the statuses of their invoices ' +
      `follow. One of which money was paid back stays. ${TAKEN_BACK_TOO}`,
    raises: ['has_refunds', 'invalid_transition', ...bookkeepingRefusals],
    handle: async ({ params, bookkeeping }, work) => {
      await deleteDeposit(work, params.id, bookkeeping);
      return deleted;
    },
  }),
  write({
    id: 'invoicing.deposits.allocations.create',
    method: 'post',
    path: `${PATH}/:id/allocations`,
    scope: 'invoicing:write',
    status: 201,
    summary: 'Allocate a deposit',
    description:
      'Pays invoices of its company out of what is unallocated, today, or on `received_on` where that is later. A deposit ' +
      'without a company gets that of the ' +
      `invoices. ${BOOKED_TOO} The money comes out of the advance received.`,
    params: z.object({ id: id('dep') }),
    body: DepositAllocations,
    reply: DepositReply,
    raises: ALLOCATING,
    handle: async ({ params, body, bookkeeping }, work) =>
      below(await allocateDeposit(work, params.id, body, bookkeeping)),
  }),
  write({
    id: 'invoicing.deposits.allocations.delete',
    method: 'delete',
    path: `${PATH}/:id/allocations/:payment_id`,
    scope: 'invoicing:write',
    summary: 'Take an allocation of a deposit back',
    description:
      'The same as deleting its payment: the amount is unallocated again, and the status of the invoice follows. ' +
      `${TAKEN_BACK_TOO} What an allocation of the deposit's making gives back is an advance received from then on.`,
    params: z.object({ id: id('dep'), payment_id: id('pay') }),
    reply: DepositReply,
    raises: ['invalid_transition', ...bookkeepingRefusals],
    handle: async ({ params, bookkeeping }, work) => ({
      deposit: await deleteAllocation(work, params.id, params.payment_id, bookkeeping),
    }),
  }),
  write({
    id: 'invoicing.deposits.refunds.create',
    method: 'post',
    path: `${PATH}/:id/refunds`,
    scope: 'invoicing:write',
    status: 201,
    summary: 'Pay back what is left of a deposit',
    description:
      'Up to the money that is neither allocated nor paid back, which is refused with `overpayment` beyond it. A refund is ' +
      `never taken back. ${BOOKED_TOO}`,
    params: z.object({ id: id('dep') }),
    body: DepositRefundInput,
    reply: DepositReply,
    raises: ['overpayment', 'future_date', ...bookkeepingRefusals],
    handle: async ({ params, body, bookkeeping }, work) =>
      below(await refundDeposit(work, params.id, body, bookkeeping)),
  }),
];
