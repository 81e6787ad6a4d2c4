import type { Reader } from '../../kernel/reader.ts';
import { storedDocument } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { organizationName, senderOf } from '../mails/sender.ts';
import { trailOf } from '../trail/queries.ts';
import type { TrailEvent } from '../trail/record.ts';

/** What a document is sealed from. */
export type Prepared = {
  stored: StoredDocument;
  /** Its trail up to `completed`. */
  events: TrailEvent[];
  sender_name: string | null;
  organization_name: string;
};

/** Reads what a document is sealed from; null where its sealing is not pending. Errors: `not_found`. */
export async function preparedSeal(reader: Reader, document_id: string): Promise<Prepared | null> {
  const stored = await storedDocument(reader, document_id);
  const { document } = stored;
  if (document.status !== 'sent' || document.sealing_status !== 'pending') return null;
  const [trail, sender, organization_name] = await Promise.all([
    trailOf(reader, document_id),
    senderOf(reader, document),
    organizationName(reader),
  ]);
  const completed = trail.findLastIndex(({ type }) => type === 'completed');
  if (completed < 0) throw new Error('The trail of a document to be sealed has no end');
  return {
    stored,
    events: trail.slice(0, completed + 1),
    sender_name: sender?.name ?? null,
    organization_name,
  };
}
