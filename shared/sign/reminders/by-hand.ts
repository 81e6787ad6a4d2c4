import { z } from 'zod';
import { todayIn } from '../../kernel/days.ts';
import { Failure, invalidAll } from '../../kernel/failure.ts';
import { freeText, id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import { MOST_SIGNERS } from '../documents/record.ts';
import type { SignerRow, StoredDocument } from '../documents/rows.ts';
import { requireAction } from '../documents/transitions.ts';
import { requireTime } from '../life/expired.ts';
import { isActing, isAsked } from '../life/turn.ts';
import { claim, type Latest, latestClaims } from './claims.ts';
import { remindJob } from './jobs.ts';
import { planReminders } from './plan.ts';

export const RemindInput = z.strictObject({
  signer_ids: z.array(id('signer')).max(MOST_SIGNERS).describe('All in turn unless said.').optional(),
  message: freeText(2_000)
    .nullable()
    .describe('To them, in this mail.')
    .meta({ examples: ['お手数ですが、今週中にお願いいたします。'] })
    .optional(),
});

export type RemindInput = z.output<typeof RemindInput>;

/** Why a signer gets no mail: one had one within the hour, or is not asked. */
export const skipCodes = ['too_soon', 'not_in_turn'] as const;

export type Skipped = { signer_id: string; code: (typeof skipCodes)[number] };

export type Reminded = {
  stored: StoredDocument;
  reminded: string[];
  skipped: Skipped[];
  job: JobResource;
};

const HOUR = 60 * 60_000;

/**
 * Mails signers in turn again, once an hour each; one whose last mail failed, or of which nobody knows, at any time. The next
 * reminder of the schedule follows from today. Errors: `not_found`, `precondition_failed`, `invalid_transition`, `signing_expired`,
 * `validation_failed` for a signer of another document, `too_soon` where all are skipped.
 */
export async function remindByHand(
  work: Work,
  document_id: string,
  { signer_ids, message = null }: RemindInput,
): Promise<Reminded> {
  const stored = await documentForUpdate(work, document_id);
  const { document } = stored;
  work.precondition(document);
  requireAction(stored, 'remind', {
    grants: work.actor.grants,
    today: todayIn(document.time_zone, work.now),
  });
  requireTime(document, work.now);
  const draft = draftOf(stored);
  const wanted = signer_ids ? namedIn(draft, signer_ids) : draft.signers.filter(isInTurn);
  const ids = wanted.map(({ id }) => id);
  const latest = await latestClaims(work, 'by_hand', ids);
  const skipped = wanted.flatMap((signer) => skippedAs(signer, latest.get(signer.id), work.now));
  const chosen = wanted.filter((signer) => !skipped.some(({ signer_id }) => signer_id === signer.id));
  if (chosen.length === 0) throw new Failure('too_soon', { members: { skipped } });

  const now = work.now.toISOString();
  const numbers = chosen.map(({ id }) => ({ id, number: (latest.get(id)?.number ?? 0) + 1 }));
  claim(
    work,
    numbers.map((each) => {
      return { signer_id: each.id, kind: 'by_hand', number: each.number, due_at: now, message };
    }),
  );
  for (const signer of chosen) {
    Object.assign(signer, { reminded_at: now, delivery: 'queued', delivery_error: null });
  }
  await planReminders(work, { document: draft.document, signers: chosen });
  const job = createJob(work, { kind: 'sign.documents.remind', scope: '*', unit: 'mails' });
  work.enqueue(
    remindJob,
    { document_id, kind: 'by_hand', signers: numbers, job_id: job.id },
    { job_id: job.id },
  );
  return {
    stored: documentChanged(work, stored, draft),
    reminded: chosen.map(({ id }) => id),
    skipped,
    job,
  };
}

function isInTurn(signer: SignerRow): boolean {
  return isActing(signer) && isAsked(signer);
}

/** The signers of a document by their IDs, each once. Errors: `validation_failed` for any other. */
function namedIn({ signers }: StoredDocument, ids: readonly string[]): SignerRow[] {
  const faults = ids.flatMap((id, index) =>
    signers.some((signer) => signer.id === id)
      ? []
      : [
          {
            in: 'body' as const,
            path: `/signer_ids/${index}`,
            code: 'unknown_reference',
            message: { en: 'The document has no such signer', ja: 'この書類にその署名者はいません' },
          },
        ],
  );
  if (faults.length > 0) throw invalidAll(faults);
  return signers.filter(({ id }) => ids.includes(id));
}

function skippedAs(signer: SignerRow, latest: Latest | undefined, now: Date): Skipped[] {
  if (!isInTurn(signer)) return [{ signer_id: signer.id, code: 'not_in_turn' }];
  const isLost = signer.delivery === 'failed' || signer.delivery === 'unknown';
  const isRecent = latest !== undefined && now.getTime() - Date.parse(latest.created_at) < HOUR;
  return isRecent && !isLost ? [{ signer_id: signer.id, code: 'too_soon' }] : [];
}
