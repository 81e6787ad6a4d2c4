import { z } from 'zod';
import { freeText } from '../../kernel/schema.ts';
import { recordAction } from '../../platform/batches/action.ts';
import { batch } from '../../platform/batches/batch.ts';
import { decideJournal, postJournal, submitJournal } from './actions.ts';
import { journalList } from './queries.ts';

const Commented = z.strictObject({ comment: freeText(1_000).nullable().optional() });

/** What can be done to many entries by one call, each as its single call does it. */
export const journalBatch = batch({
  name: 'accounting.journals',
  prefix: 'je',
  list: (reader, filters, window) => journalList(reader, filters, window),
  actions: {
    submit: recordAction({
      scope: 'accounting:write',
      body: Commented,
      act: (work, id, { comment = null }) => submitJournal(work, id, comment),
    }),
    approve: recordAction({
      scope: 'approvals:write',
      body: Commented,
      act: (work, id, { comment = null }) => decideJournal(work, id, { action: 'approve', comment }),
    }),
    post: recordAction({ scope: 'accounting:write', act: postJournal }),
  },
});
