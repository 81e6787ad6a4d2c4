import { recordAction } from '../../platform/batches/action.ts';
import { batch } from '../../platform/batches/batch.ts';
import { matchDeposit } from '../deposits/matching/match.ts';
import { DepositMatchInput } from '../deposits/matching/record.ts';
import { type DepositFilters, depositList } from '../deposits/queries.ts';

/** What is done to deposits by single calls and by batches. */
export const depositActions = {
  match: recordAction({
    scope: 'invoicing:write',
    body: DepositMatchInput,
    act: (work, id, input, { bookkeeping }) => matchDeposit(work, id, input, bookkeeping),
  }),
};

/** What can be done to many deposits by one call. */
export const depositBatch = batch({
  name: 'invoicing.deposits',
  prefix: 'dep',
  list: (reader, filters, window) => depositList(reader, filters as DepositFilters, window),
  actions: depositActions,
});
