import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { queueEndedMails } from '../mails/proposal-ended-mail.ts';
import { release } from '../occupancies/occupy.ts';
import { proposalChanged, proposalUpdated, toldOf } from './changes.ts';
import { ProposalModel, type ProposalPatch, type ProposalRow } from './record.ts';
import { lockProposal } from './rows.ts';
import { statusAt } from './status.ts';
import { requireAction } from './transitions.ts';

/** Takes a proposal back: its times are free. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function withdrawProposal(work: Work, id: string): Promise<ProposalRow> {
  const before = await lockProposal(work, id);
  work.precondition(before);
  requireAction(statusAt(before, work.now), 'withdraw', work.actor);
  const [after] = await endProposals(work, [before], { status: 'withdrawn' });
  return after!;
}

/** The guest takes none of the times. Errors: `not_found`, `invalid_transition`. */
export async function declineProposal(
  work: Work,
  id: string,
  decline_reason: string | null,
): Promise<ProposalRow> {
  const before = await lockProposal(work, id);
  requireAction(statusAt(before, work.now), 'decline', { grants: null });
  const [after] = await endProposals(work, [before], { status: 'declined', decline_reason });
  return after!;
}

type Ending = { status: 'withdrawn' | 'expired' } | { status: 'declined'; decline_reason: string | null };

/**
 * Ends locked open proposals without a booking, and gives their times back. `acting` is the same work on behalf of who is named
 * in the log, where that is somebody else.
 */
export async function endProposals(
  work: Work,
  open: readonly ProposalRow[],
  ended: Ending,
  acting: Work = work,
): Promise<ProposalRow[]> {
  const changed = open.map((before) => {
    const changes = { ...ended, updated_at: work.touch(before) };
    const after = { ...before, ...changes };
    work.update(ProposalModel, before.id, changes);
    proposalChanged(acting, { action: ended.status, before, after });
    return after;
  });
  release(
    work,
    changed.map(({ id }) => id),
  );
  await queueEndedMails(work, changed);
  return changed;
}

/** Changes what a client's own systems keep with a proposal. Errors: `not_found`, `precondition_failed`. */
export async function updateProposal(work: Work, id: string, patch: ProposalPatch): Promise<ProposalRow> {
  const before = await lockProposal(work, id);
  work.precondition(before);
  const changed = {
    ...before,
    external_id: patch.external_id === undefined ? before.external_id : patch.external_id,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(proposalUpdated, toldOf(before), toldOf(changed))) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { external_id, metadata, updated_at } = after;
  work.update(ProposalModel, id, { external_id, metadata, updated_at });
  proposalChanged(work, { action: 'updated', before, after });
  return after;
}
