import { type Fact, factsOf } from '../../kernel/fact.ts';
import { computedIn } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { spansOfProposal } from './blocks.ts';
import { Proposal, type ProposalRow } from './record.ts';

/** What can happen to a proposal; `updated` is a change of what a client's own systems keep with it. */
export type ProposalHappening = 'created' | 'accepted' | 'declined' | 'expired' | 'withdrawn' | 'updated';

/** One change of a proposal: the rows before (null for a new one) and after. */
export type ProposalChange = {
  action: ProposalHappening;
  before: ProposalRow | null;
  after: ProposalRow;
};

const facts = factsOf({
  domain: 'scheduler',
  entity_type: 'proposal',
  computed: computedIn(Proposal),
  masked: ['guest', 'location', 'message', 'decline_reason'],
  events: { created: 'scheduler.proposal.created' },
});

const happenings: Readonly<Record<ProposalHappening, Fact>> = {
  created: facts.created,
  updated: facts.updated,
  accepted: { ...facts.updated, event: 'scheduler.proposal.accepted' },
  declined: { ...facts.updated, event: 'scheduler.proposal.declined' },
  expired: { ...facts.updated, event: 'scheduler.proposal.expired' },
  withdrawn: { ...facts.updated, event: 'scheduler.proposal.withdrawn' },
};

/** A change of what a client's own systems keep with a proposal: it makes no event. */
export const proposalUpdated = facts.updated;

/** Tells of a change of a proposal whose row was written. What a guest does is the guest's in the log. */
export function proposalChanged(work: Work, { action, before, after }: ProposalChange): void {
  work.record(happenings[action], { before: before && toldOf(before), after: toldOf(after) });
}

/** A proposal as facts tell it: without what is computed. */
export function toldOf(row: ProposalRow): { id: string } {
  const candidates = spansOfProposal(row).map(({ start, end }) => ({
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
  }));
  return { ...row, candidates, object: 'scheduler.proposal' } as { id: string };
}
