import { z } from 'zod';
import { todayIn } from '../../kernel/days.ts';
import { freeText } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { requireAction } from '../documents/transitions.ts';
import { addToTrail, trailActor } from '../trail/add.ts';
import { endDocument, tellOfEnd } from './ending.ts';

/** Why a document is cancelled. */
export const CancelInput = z.strictObject({
  reason: freeText(1_000)
    .nullable()
    .describe('Those who had a mail are told.')
    .meta({ examples: ['契約条件が変わりました。'] })
    .optional(),
});

/**
 * Cancels a draft, or what was sent and somebody has not signed; those who had a mail are told. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`.
 */
export async function cancelDocument(
  work: Work,
  id: string,
  { reason = null }: z.output<typeof CancelInput>,
): Promise<StoredDocument> {
  const stored = await documentForUpdate(work, id);
  const { document } = stored;
  work.precondition(document);
  requireAction(stored, 'cancel', {
    grants: work.actor.grants,
    today: todayIn(document.time_zone, work.now),
  });
  const draft = draftOf(stored);
  await endDocument(work, draft, 'by_sender', reason);
  if (document.status === 'sent') {
    const data = reason === null ? {} : { reason };
    addToTrail(work, draft.document, [{ type: 'cancelled', actor: await trailActor(work), data }]);
    await tellOfEnd(work, draft, { decliner: null, told: { message: reason } });
  }
  return documentChanged(work, stored, draft, 'cancelled');
}
