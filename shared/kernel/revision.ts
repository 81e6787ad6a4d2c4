import { Failure } from './failure.ts';

/** A record that changes carry a revision of: `updated_at` is an ISO 8601 time with milliseconds. */
export type Revised = { updated_at: string };

/** A record that changes carry a count of: it has one before anything was written, and figures do not move it. */
export type Counted = { object: string; version: number };

const counted = new Set<string>();

/** Says that `version` is the revision of this kind of record, by the `object` that it has in the API. */
export function revisedByVersion(object: string): void {
  counted.add(object);
}

/** Whether a value is a record that changes carry a count of. */
export function isCounted(value: object): value is Counted {
  return 'version' in value && 'object' in value && counted.has(value.object as string);
}

/** The part of an ETag that changes when the record does: the millisecond of its last change, or its count. */
export function revisionOf(record: Revised | Counted): string {
  return isCounted(record) ? record.version.toString(36) : Date.parse(record.updated_at).toString(36);
}

/**
 * Compares a record with the revisions that the caller last saw (If-Match); null where any will do.
 * Errors: `precondition_failed`.
 */
export function requireRevision(record: Revised | Counted, revisions: readonly string[] | null): void {
  if (revisions && !revisions.includes(revisionOf(record))) throw new Failure('precondition_failed');
}

/** The `updated_at` of a changed record: now, but always later than before, so that its revision is another one. */
export function nextRevisionTime({ updated_at }: Revised, now: Date): string {
  const earliest = Date.parse(updated_at) + 1;
  return new Date(Math.max(now.getTime(), earliest)).toISOString();
}
