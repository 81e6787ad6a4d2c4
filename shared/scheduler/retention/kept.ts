import { firstIdOf } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';

/** A record that is being blanked; its events are of the time between both. */
export type Kept = { id: string; created_at: string; updated_at: string };

/** A guest without name, address and phone; zone and language tell of nobody. `column` is `jsonb`. */
export function blankGuest(column: string): string {
  return `${column} || '{"name": "", "email": ""}' || CASE WHEN ${column} ? 'phone' THEN '{"phone": null}' ELSE '{}' END::jsonb`;
}

/** A place without the number under which a guest is called. `column` is `jsonb`. */
export function blankLocation(column: string): string {
  return `CASE WHEN ${column} ->> 'type' = 'phone_guest' THEN ${column} || '{"value": null}' ELSE ${column} END`;
}

/** A moment's grace: an event has the time of its request, and its ID that of when it was made. */
const GRACE = 60_000;

/** Blanks the guests in the events about records, which lie between their first and their last change. */
export function blankEvents(work: Work, types: string, records: readonly Kept[]): void {
  const [first, last] = spanOf('evt', records);
  work.run(
    `UPDATE events SET data = (data::jsonb
          || jsonb_build_object('guest', ${blankGuest(`(data::jsonb -> 'guest')`)})
          || CASE WHEN data::jsonb ? 'additional_guests' THEN '{"additional_guests": [], "answers": {}}' ELSE '{}' END::jsonb
          || CASE WHEN data::jsonb ? 'cancel_reason' THEN '{"cancel_reason": null}' ELSE '{}' END::jsonb
          || CASE WHEN data::jsonb ? 'location'
               THEN jsonb_build_object('location', ${blankLocation(`(data::jsonb -> 'location')`)}) ELSE '{}' END::jsonb
          || CASE WHEN data::jsonb ? 'message' THEN '{"message": null, "decline_reason": null}' ELSE '{}' END::jsonb)::json
      WHERE organization_id = $1 AND id >= $2 AND id < $3 AND starts_with(type, $4) AND data ->> 'id' = ANY ($5)`,
    [work.organization_id, first, last, types, records.map(({ id }) => id)],
  );
}

/** Takes the words of mail servers back that name the address of a guest, of the mails about records. */
export function blankMailErrors(work: Work, record_ids: readonly string[]): void {
  work.run(
    `UPDATE mails SET error = NULL
      WHERE organization_id = $1 AND error IS NOT NULL AND id IN (
        SELECT mail_id FROM scheduler_mails WHERE organization_id = $1 AND record_id = ANY ($2)
        UNION ALL
        SELECT mail_id FROM scheduler_reminders
         WHERE organization_id = $1 AND record_id = ANY ($2) AND mail_id IS NOT NULL)`,
    [work.organization_id, record_ids],
  );
}

/** The same of the mails about proposals, which lie between their first and their last change. */
export function blankProposalMailErrors(work: Work, proposals: readonly Kept[]): void {
  const [first, last] = spanOf('mail', proposals);
  work.run(
    `UPDATE mails SET error = NULL
      WHERE organization_id = $1 AND error IS NOT NULL AND id >= $2 AND id < $3 AND about ->> 'proposal_id' = ANY ($4)`,
    [work.organization_id, first, last, proposals.map(({ id }) => id)],
  );
}

/** Before the first and after the last ID of what was made between the first and the last change of records. */
function spanOf(prefix: 'evt' | 'mail', records: readonly Kept[]): [first: string, last: string] {
  const first = Math.min(...records.map(({ created_at }) => Date.parse(created_at)));
  const last = Math.max(...records.map(({ updated_at }) => Date.parse(updated_at)));
  return [firstIdOf(prefix, new Date(first - GRACE)), firstIdOf(prefix, new Date(last + GRACE))];
}

/** Forgets the answers that are kept for requests that are repeated, where they show one of the records. */
export function forgetReplies(work: Work, name: string, record_ids: readonly string[]): void {
  work.run(
    `DELETE FROM idempotency_keys WHERE organization_id = $1 AND body -> $2::text ->> 'id' = ANY ($3)`,
    [work.organization_id, name, record_ids],
  );
}
