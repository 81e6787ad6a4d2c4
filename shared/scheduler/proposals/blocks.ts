import type { Reader } from '../../kernel/reader.ts';
import { eventTypeDefaults } from '../event-types/fields.ts';
import { questionOf } from '../questions/question.ts';
import type { Block } from '../slots/types.ts';
import { type Span, spansOf } from './candidates.ts';
import type { ProposalRow } from './record.ts';

/** What occupies each host in a range, as the slots of event types have it, less what belongs to the records of `without`. */
export async function blocksOfHosts(
  reader: Reader,
  user_ids: readonly string[],
  { start, end }: Span,
  without: readonly string[],
): Promise<Map<string, readonly Block[]>> {
  const { question } = await questionOf(reader, {
    event_type: {
      ...eventTypeDefaults,
      id: '',
      min_notice_minutes: 0,
      members: user_ids.map((user_id) => ({ user_id, role: 'required', priority: 2, availability_id: null })),
    },
    duration_minutes: 1,
    from: start,
    to: end,
    without: { record_ids: without },
  });
  return new Map(question.hosts.map(({ blocks }, place) => [user_ids[place]!, blocks]));
}

/** The candidates of a proposal as spans, by their starts. */
export function spansOfProposal({
  candidates,
  duration_minutes,
}: Pick<ProposalRow, 'candidates' | 'duration_minutes'>) {
  return spansOf(
    candidates.map(({ start }) => Date.parse(start)),
    duration_minutes,
  );
}

/** From the first candidate's start to the end of the last one. */
export function reachOfSpans(spans: readonly Span[]): Span {
  return {
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
}

/** What is in the way of hosts, without buffers: all of it, or of a proposal that holds its times what else is booked. */
export function inTheWay(
  blocks: ReadonlyMap<string, readonly Block[]>,
  { hold, user_ids }: Pick<ProposalRow, 'hold' | 'user_ids'>,
): Span[] {
  const all = user_ids.flatMap((user_id) => blocks.get(user_id) ?? []);
  return hold === 'none' ? all : all.filter(({ kind }) => kind === 'booking' || kind === 'hold');
}
