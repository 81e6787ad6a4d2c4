import { DAY } from '../../kernel/days.ts';
import { firstIdOf } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';

/** A response that goes, with the times at which it can have been told of. */
export type Told = { id: string; submitted_at: string; made_up_at: string | null };

/** A moment's grace: an event has the time of its request, and its ID that of when it was made. */
const GRACE = 60_000;

/**
 * Leaves of the events about responses that there was one. An event is made when its response is submitted or taken out of the
 * spam: so each is looked for in these minutes alone, however many events there are.
 */
export function blankEvents(work: Work, responses: readonly Told[]): void {
  work.run(
    `UPDATE events SET data = json_build_object('id', gone.id, 'object', 'forms.response',
          'form_id', events.data ->> 'form_id', 'submitted_at', events.data ->> 'submitted_at', 'erased', true)
       FROM unnest($2::text[], $3::text[], $4::text[]) AS gone (id, first, last)
      WHERE events.organization_id = $1 AND events.id >= gone.first AND events.id < gone.last
        AND events.type = 'forms.response.submitted' AND events.data ->> 'id' = gone.id`,
    [work.organization_id, ...spansOf('evt', responses)],
  );
}

/** Takes the words of mail servers back that name addresses, of the mails about responses. */
export function blankMailErrors(work: Work, responses: readonly Told[]): void {
  work.run(
    `UPDATE mails SET error = NULL FROM unnest($2::text[], $3::text[], $4::text[]) AS gone (id, first, last)
      WHERE mails.organization_id = $1 AND mails.id >= gone.first AND mails.id < gone.last
        AND mails.error IS NOT NULL AND mails.about ->> 'response_id' = gone.id`,
    [work.organization_id, ...spansOf('mail', responses)],
  );
}

/** The IDs of the responses, and between which IDs the rows that tell of each lie: as many of all three. */
function spansOf(prefix: 'evt' | 'mail', responses: readonly Told[]): [string[], string[], string[]] {
  const spans = responses.flatMap(({ id, submitted_at, made_up_at }) =>
    [submitted_at, made_up_at].flatMap((at) => (at === null ? [] : [{ id, at: Date.parse(at) }])),
  );
  return [
    spans.map(({ id }) => id),
    spans.map(({ at }) => firstIdOf(prefix, new Date(at - GRACE))),
    spans.map(({ at }) => firstIdOf(prefix, new Date(at + GRACE))),
  ];
}

/** Forgets the answers that are kept for a day for requests that are repeated, where they show one of the records. */
export function forgetReplies(work: Work, name: 'response' | 'partial', ids: readonly string[]): void {
  const since = new Date(work.now.getTime() - DAY).toISOString();
  work.run(
    `DELETE FROM idempotency_keys
      WHERE organization_id = $1 AND created_at >= $2 AND body -> $3::text ->> 'id' = ANY ($4)`,
    [work.organization_id, since, name, ids],
  );
}
