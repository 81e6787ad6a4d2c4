import { z } from 'zod';
import { freeText } from '../../kernel/schema.ts';
import { recordAction } from '../../platform/batches/action.ts';
import { batch } from '../../platform/batches/batch.ts';
import { cancelDocument } from '../life/cancel.ts';
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
      body: RemindInput.omit({ message: true }).extend({
        message: RemindInput.shape.message.unwrap().optional(),
      }),
      act: (work, id, { message = null, ...body }) => remindByHand(work, id, { ...body, message }),
    }),
    cancel: recordAction({
      scope,
      body: z.strictObject({
        reason: freeText(1_000)
          .nullable()
          .describe('Those who had a mail are told.')
          .meta({ examples: ['契約条件が変わりました。'] })
          .optional(),
      }),
      act: (work, id, { reason = null }) => cancelDocument(work, id, reason),
    }),
  },
});
