import type { Reader } from '../../kernel/reader.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import { blocksOfHosts, inTheWay, reachOfSpans, spansOfProposal } from './blocks.ts';
import { freeOf, type Span } from './candidates.ts';
import type { GuestProposal, Proposal, ProposalRow } from './record.ts';
import { statusAt } from './status.ts';
import { actionsFor, guestActionsFor } from './transitions.ts';

/** Proposals as the API shows them to members, in the order of the rows. */
export async function shownProposals(reader: Reader, rows: readonly ProposalRow[]): Promise<Proposal[]> {
  const freeAmong = await freeCandidates(reader, rows);
  return rows.map((row) => ({
    ...common(row, reader.now, freeAmong(row)),
    event_type_id: row.event_type_id,
    location: row.location,
    user_ids: row.user_ids,
    hold: row.hold,
    available_actions: actionsFor(statusAt(row, reader.now), reader.actor),
    external_id: row.external_id,
    metadata: row.metadata,
    created_by: row.created_by,
  }));
}

/** One of them. */
export async function shownProposal(reader: Reader, row: ProposalRow): Promise<Proposal> {
  return (await shownProposals(reader, [row]))[0]!;
}

/** A proposal as its guest sees it. */
export async function proposalForGuest(reader: Reader, row: ProposalRow): Promise<GuestProposal> {
  const [freeAmong, named] = await Promise.all([
    freeCandidates(reader, [row]),
    peopleByIds(reader, row.user_ids),
  ]);
  const { location } = row;
  return {
    ...common(row, reader.now, freeAmong(row)),
    location: location && { type: location.type, label: location.label },
    hosts: row.user_ids.map((user_id) => ({ name: named(user_id).name })),
    available_actions: guestActionsFor(statusAt(row, reader.now)),
  };
}

function common(row: ProposalRow, now: Date, free: ReadonlySet<number>) {
  return {
    id: row.id,
    object: 'scheduler.proposal' as const,
    title: row.title,
    duration_minutes: row.duration_minutes,
    candidates: spansOfProposal(row).map(({ start, end }) => ({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      available: free.has(start),
    })),
    guest: row.guest,
    message: row.message,
    status: statusAt(row, now),
    expires_at: row.expires_at,
    booking_id: row.booking_id,
    decline_reason: row.decline_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The starts that could be accepted now, of each proposal: none of one that is not open. A fixed number of statements. */
async function freeCandidates(
  reader: Reader,
  rows: readonly ProposalRow[],
): Promise<(row: ProposalRow) => ReadonlySet<number>> {
  const now = reader.now.getTime();
  const open = rows.filter((row) => statusAt(row, reader.now) === 'open');
  const user_ids = [...new Set(open.flatMap((row) => row.user_ids))];
  const spans = open.flatMap((row) => spansOfProposal(row)).filter(({ end }) => end > now);
  const blocks =
    spans.length === 0 ? new Map() : await blocksOfHosts(reader, user_ids, reachOfSpans(spans), []);
  return (row) => {
    if (!open.includes(row)) return new Set();
    const others = inTheWay(withoutOwn(blocks, row.id), row);
    return new Set(freeOf(spansOfProposal(row), others, now).map(({ start }) => start));
  };
}

/** A proposal's own holds are in nobody's way but others'. */
function withoutOwn<Held extends Span & { id: string | null }>(
  blocks: ReadonlyMap<string, readonly Held[]>,
  id: string,
): Map<string, readonly Held[]> {
  return new Map([...blocks].map(([user_id, all]) => [user_id, all.filter((block) => block.id !== id)]));
}
