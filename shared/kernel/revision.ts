import { Failure } from './failure.ts';

/** A record that changes carry a revision of: `updated_at` is an ISO 8601 time with milliseconds. */
export type Revised = { updated_at: string };

/** The part of an ETag that changes when the record does: the millisecond of its last change. */
export function revisionOf({ updated_at }: Revised): string {
  return Date.parse(updated_at).toString(36);
}

/**
 * Compares a record with the revisions that the caller last saw (If-Match); null where any will do.
 * Errors: `precondition_failed`.
 */
export function requireRevision(record: Revised, revisions: readonly string[] | null): void {
  if (revisions && !revisions.includes(revisionOf(record))) throw new Failure('precondition_failed');
}

/** The `updated_at` of a changed record: now, but always later than before, so that its revision is another one. */
export function nextRevisionTime({ updated_at }: Revised, now: Date): string {
  const earliest = Date.parse(updated_at) + 1;
  return new Date(Math.max(now.getTime(), earliest)).toISOString();
}
