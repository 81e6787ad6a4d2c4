import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import { trailPage } from '../../shared/sign/trail/queries.ts';
import { TrailEvent, trailTypes } from '../../shared/sign/trail/record.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';

/** The trail of a document. */
export const documentEvents = list({
  id: 'sign.documents.events',
  path: '/api/v1/sign/documents/:id/events',
  scope: 'sign:read',
  summary: 'List the trail of a document',
  description:
    'What happened since it was sent, in its order: each event holds the hash of the one before, so that nothing can be changed or left out unseen. The same trail is attached to the sealed file.',
  params: byId('doc'),
  item: TrailEvent,
  filters: z.object({ type: manyOf(z.enum(trailTypes)).describe('Several with commas.').optional() }),
  sorts: ['seq'],
  handle: async ({ params, filters, window }, reader) => {
    const { document } = await storedDocument(reader, params.id);
    return trailPage(reader, document.id, filters, window);
  },
});
