import { todayIn } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { requireAction } from '../documents/transitions.ts';
import { enqueueSeal } from '../sealing/jobs.ts';

/** Has a sealing that failed tried again. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function sealAgain(
  work: Work,
  id: string,
): Promise<{ stored: StoredDocument; job: JobResource }> {
  const stored = await documentForUpdate(work, id);
  const { document } = stored;
  work.precondition(document);
  requireAction(stored, 'seal', { grants: work.actor.grants, today: todayIn(document.time_zone, work.now) });
  const draft = draftOf(stored);
  makePending(work, draft);
  const job = createJob(work, { kind: 'sign.documents.seal', scope: '*', unit: null });
  enqueueSeal(work, document, job.id);
  return { stored: documentChanged(work, stored, draft), job };
}

/** Makes a failed sealing pending again, for a try that has been asked for already; any other stays as it is. */
export async function reopenSealing(work: Work, id: string): Promise<void> {
  const stored = await documentForUpdate(work, id);
  if (stored.document.sealing_status !== 'failed') return work.nothingChanged();
  const draft = draftOf(stored);
  makePending(work, draft);
  documentChanged(work, stored, draft);
}

function makePending(work: Work, { document }: Pick<StoredDocument, 'document'>): void {
  document.sealing_status = 'pending';
  document.sealing_since = work.now.toISOString();
  document.sealing_error = null;
}
