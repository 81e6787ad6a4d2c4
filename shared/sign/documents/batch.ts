import { recordAction } from '../../platform/batches/action.ts';
import { batch } from '../../platform/batches/batch.ts';
import { CancelInput, cancelDocument } from '../life/cancel.ts';
import { sealAgain } from '../life/seal-again.ts';
import { sendDocument } from '../life/send.ts';
import { RemindInput, remindByHand } from '../reminders/by-hand.ts';
import { type DocumentFilters, documentsListed } from './list.ts';

const scope = 'sign:write';

/** What can be done to many documents by one call, each as its single call does it. */
export const documentBatch = batch({
  name: 'sign.documents',
  prefix: 'doc',
  list: (reader, filters, window) => documentsListed(reader, filters as DocumentFilters, window),
  // Who holds the scope does not see every document.
  job_scope: '*',
  actions: {
    send: recordAction({
      scope,
      act: (work, id, _, { seal }) => sendDocument(work, id, seal),
    }),
    remind: recordAction({
      scope,
      status: 202,
      body: RemindInput,
      act: remindByHand,
    }),
    cancel: recordAction({
      scope,
      body: CancelInput,
      act: cancelDocument,
    }),
    seal: recordAction({
      scope,
      status: 202,
      act: sealAgain,
    }),
  },
});
