import { DAY } from '../../kernel/days.ts';
import { firstIdOf } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';

/** A response that goes, with the times at which it can have been told of. */
export type Told = { id: string; submitted_at: string; made_up_at: string | null };

/** A moment's grace: an event has the time of its request, and its ID that of when it was made. */
const GRACE = 60_000;

/**
 * Leaves of the events about responses that there was one. An event is made when its response is submitted or taken out of the
 * spam: so they are looked for in these minutes alone, however many events there are.
 */
export function blankEvents(work: Work, responses: readonly Told[]): void {
  work.run(
    `UPDATE events SET data = json_build_object('id', events.data ->> 'id', 'object', 'forms.response',
          'form_id', events.data ->> 'form_id', 'submitted_at', events.data ->> 'submitted_at', 'erased', true)
       FROM unnest($3::text[], $4::text[]) AS span (first, last)
      WHERE events.organization_id = $1 AND events.id >= span.first AND events.id < span.last
        AND events.type = 'forms.response.submitted' AND events.data ->> 'id' = ANY ($2)`,
    [work.organization_id, ...spansOf('evt', responses)],
  );
}

/** Takes the words of mail servers back that name addresses, of the mails about responses. */
export function blankMailErrors(work: Work, responses: readonly Told[]): void {
  work.run(
    `UPDATE mails SET error = NULL FROM unnest($3::text[], $4::text[]) AS span (first, last)
      WHERE mails.organization_id = $1 AND mails.id >= span.first AND mails.id < span.last
        AND mails.error IS NOT NULL AND mails.about ->> 'response_id' = ANY ($2)`,
    [work.organization_id, ...spansOf('mail', responses)],
  );
}

/**
 * The IDs of the responses, and between which IDs the rows lie that tell of them: spans that meet are one, so that of many
 * responses of a minute each row is looked at once.
 */
function spansOf(prefix: 'evt' | 'mail', responses: readonly Told[]): [string[], string[], string[]] {
  const moments = responses
    .flatMap(({ submitted_at, made_up_at }) =>
      made_up_at === null ? [submitted_at] : [submitted_at, made_up_at],
    )
    .map((at) => Date.parse(at))
    .toSorted((a, b) => a - b);
  const spans: { first: number; last: number }[] = [];
  for (const at of moments) {
    const before = spans.at(-1);
    if (before && at - GRACE <= before.last) before.last = at + GRACE;
    else spans.push({ first: at - GRACE, last: at + GRACE });
  }
  return [
    responses.map(({ id }) => id),
    spans.map(({ first }) => firstIdOf(prefix, new Date(first))),
    spans.map(({ last }) => firstIdOf(prefix, new Date(last))),
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
