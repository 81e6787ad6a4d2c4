import { z } from 'zod';
import { depositActions, depositBatch } from '../../shared/invoicing/actions/deposits.ts';
import { depositMatchPage } from '../../shared/invoicing/deposits/matching/queries.ts';
import {
  DepositMatch,
  matchingOf,
  matchParameters,
} from '../../shared/invoicing/deposits/matching/record.ts';
import { Deposit, depositMethods } from '../../shared/invoicing/deposits/record.ts';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { batchOf } from '../http/batches.ts';
import { type Endpoint, write } from '../http/endpoint.ts';
import { type ListEndpoint, list } from '../http/list.ts';
import { BOOKED_TOO } from './booked.ts';

const PATH = '/api/v1/deposits';

const { match } = depositActions;

/** The calls that allocate deposits by suggestions that are sure: of one, of many of the list, and before it is done. */
export function depositMatches(deposits: ListEndpoint): Endpoint[] {
  return [
    list({
      id: 'invoicing.deposits.matches',
      path: `${PATH}/matches`,
      scope: 'invoicing:read',
      summary: 'Preview a match of deposits',
      description:
        'Deposits of which something is unallocated, each with what `match` would do to it now, and why not. Nothing is changed. ' +
        'They are judged one after the other as the page lists them: of two that would pay the same invoice the first one does, ' +
        'and the second is told as what it will be then. A batch by a filter takes the oldest first: so does `sort=created_at:asc`.',
      item: DepositMatch,
      filters: z.object({
        company_id: id('comp').optional(),
        received_from: day().optional(),
        received_to: day().optional(),
        method: z.enum(depositMethods).optional(),
        ...matchParameters,
      }),
      sorts: ['received_on'],
      limit: { default: 50, most: 300 },
      handle: ({ filters: { least_score, with_fee, ...filters }, window }, reader) =>
        depositMatchPage(
          reader,
          filters,
          matchingOf({
            ...(least_score !== undefined && { least_score }),
            ...(with_fee !== undefined && { with_fee }),
          }),
          window,
        ),
    }),
    batchOf(deposits, depositBatch),
    write({
      id: 'invoicing.deposits.match',
      method: 'post',
      path: `${PATH}/:id/match`,
      scope: match.scope,
      summary: 'Match a deposit',
      description:
        'Allocates what is left of a deposit as the one suggestion says that is likely enough, by the company of the deposit, ' +
        'the name of who paid, what the name has paid for before, and amounts. Where none is, or several are, the deposit is ' +
        'left, and the refusal says why. `POST /deposits/batch` does it to many, `GET /deposits/matches` shows it before. ' +
        BOOKED_TOO,
      params: byId('dep'),
      body: match.body!,
      reply: z.strictObject({ deposit: Deposit }),
      raises: [
        'no_match',
        'ambiguous_match',
        'match_with_fee',
        'nothing_unallocated',
        'invalid_transition',
        'over_allocated',
        'overpayment',
        ...bookkeepingRefusals,
      ],
      handle: async ({ params, body, mail_limits, bookkeeping, seal }, work) => ({
        deposit: await match.act(work, params.id, body, { mail_limits, bookkeeping, seal }),
      }),
    }),
  ];
}
