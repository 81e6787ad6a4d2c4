import type { Question } from '../../slots/types.ts';
import type { LiveBusy } from './ask.ts';

/**
 * A question about stored records with what calendars said just now. `user_ids` are the hosts in the order of the question.
 * Whoever's calendars are not known well enough has no time.
 */
export function withLive(question: Question, user_ids: readonly string[], live: LiveBusy): Question {
  const hosts = question.hosts.map((host, place) => {
    const answer = live.get(user_ids[place]!);
    if (!answer || answer.known === 'stored') return host;
    if (answer.known === 'unknown') return { ...host, calendar_works: false };
    const blocks = answer.busy.map(({ start, end }) => ({
      kind: 'external' as const,
      id: null,
      start,
      end,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
    }));
    return { ...host, blocks: [...host.blocks, ...blocks] };
  });
  return { ...question, hosts };
}
