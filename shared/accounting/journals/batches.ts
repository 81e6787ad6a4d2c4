import { recordAction } from '../../platform/batches/action.ts';
import { batch } from '../../platform/batches/batch.ts';
import { decideJournal, postJournal, submitJournal } from './actions.ts';
import { journalList } from './queries.ts';
import { JournalSubmission } from './record.ts';

/** What can be done to many entries by one call, each as its single call does it. */
export const journalBatch = batch({
  name: 'accounting.journals',
  prefix: 'je',
  list: (reader, filters, window) => journalList(reader, filters, window),
  actions: {
    submit: recordAction({
      scope: 'accounting:write',
      body: JournalSubmission,
      act: (work, id, { comment = null }) => submitJournal(work, id, comment),
    }),
    approve: recordAction({
      scope: 'approvals:write',
      body: JournalSubmission,
      act: (work, id, { comment = null }) => decideJournal(work, id, { action: 'approve', comment }),
    }),
    post: recordAction({ scope: 'accounting:write', act: postJournal }),
  },
});
