import { invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import type { ArrivedFile } from '../files/arrive.ts';
import { keepFiles } from '../files/keep.ts';
import { senderOf } from '../sender.ts';
import { draftOf, requireReason } from './draft.ts';
import type { Link } from './fields.ts';
import type { ReceivedInput } from './input.ts';
import type { ReceivedKind } from './kinds.ts';
import type { ReceivedDocument } from './record.ts';
import { requireNamed } from './references.ts';
import { documentChanged } from './write.ts';

/** What a document is made of, beside the fields that are sent. */
export type Origin = {
  /** Files that came with it, in the store. */
  files?: readonly ArrivedFile[];
  /** What it was converted from. */
  source?: Link;
};

/**
 * Registers a document, pending. Errors: `validation_failed` for one that is empty and as its sums have them,
 * `unknown_reference`, `duplicate_document`, `duplicate_file`, `already_exists` for an external_id, and those of keeping files.
 */
export async function createReceived(
  work: Work,
  kind: ReceivedKind,
  { allow_duplicate = false, cloud_file_id: _, ...input }: ReceivedInput,
  { files = [], source }: Origin = {},
): Promise<ReceivedDocument> {
  if (Object.keys(input).length === 0 && files.length === 0) {
    throw invalid('', 'required', {
      en: 'A document needs a field or a file',
      ja: '項目またはファイルを1つ以上指定してください',
    });
  }
  const [context, company] = await Promise.all([
    receivedContext(work),
    input.company_id ? senderOf(work, input.company_id) : null,
  ]);
  const { actor, now } = work;
  const draft = draftOf(kind, input, { context, company, actor, now });
  requireReason(draft);
  await requireNamed(work, draft);
  const kept = keepFiles(work, draft, files);
  const document: ReceivedDocument = {
    ...draft,
    ...(source && { source: [source], received_via: 'convert' }),
    ...(files.length > 0 && input.received_via === undefined && { received_via: 'upload' }),
    files: kept,
  };
  return documentChanged(work, null, document, { allow_duplicate });
}
