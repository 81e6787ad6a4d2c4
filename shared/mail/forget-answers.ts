import type { Work } from '../kernel/work.ts';

/**
 * Removes the answer that is kept for a repetition of the request that made a record, since it shows the record. It
 * has the record's very time, by which it is found.
 */
export function forgetAnswers(work: Work, name: string, record: { id: string; created_at: string }): void {
  work.run(
    `DELETE FROM idempotency_keys WHERE organization_id = $1 AND created_at = $2 AND body->$3::text->>'id' = $4`,
    [work.organization_id, record.created_at, name, record.id],
  );
}
