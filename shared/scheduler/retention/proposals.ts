import type { Work } from '../../kernel/work.ts';
import {
  blankEvents,
  blankGuest,
  blankLocation,
  blankProposalMailErrors,
  forgetReplies,
  type Kept,
} from './kept.ts';

/** Proposals that one transaction blanks. */
const BATCH = 200;

/** A proposal ends with its last candidate, which lies after the time up to which it can be accepted. */
const ENDED = `SELECT id, created_at, updated_at FROM scheduler_proposals
  WHERE organization_id = $1 AND status <> 'open' AND guest ->> 'email' <> ''
    AND (SELECT max((candidate ->> 'start')::timestamptz) FROM jsonb_array_elements(candidates) AS candidate)
        + duration_minutes * interval '1 minute' <= $2
  ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`;

/** Blanks some proposals whose times were over at a time, and answers how many; none: all are. */
export async function blankProposals(work: Work, before: Date): Promise<number> {
  const { connection, organization_id } = work;
  const ended = await connection.query<Kept>(ENDED, [organization_id, before.toISOString()]);
  if (ended.length === 0) return 0;
  const ids = ended.map(({ id }) => id);
  work.run(
    `UPDATE scheduler_proposals SET guest = ${blankGuest('guest')}, message = NULL, decline_reason = NULL,
        location = ${blankLocation('location')}, updated_at = $3
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [organization_id, ids, work.now.toISOString()],
  );
  blankEvents(work, 'scheduler.proposal.', ended);
  blankProposalMailErrors(work, ended);
  forgetReplies(work, 'proposal', ids);
  return ended.length;
}
