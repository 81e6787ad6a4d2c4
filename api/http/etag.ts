import { hash } from 'node:crypto';
import { type Counted, isCounted, type Revised, revisionOf } from '../../shared/kernel/revision.ts';
import type { Request } from './request.ts';

/**
 * The ETag of an answer: the revision of the one record it shows, and a hash of its bytes. Lists have the hash alone.
 */
export function etagOf(body: unknown, content: string | Buffer): string {
  const digest = hash('sha1', content, 'base64url').slice(0, 22);
  const record = recordOf(body);
  return record ? `"${revisionOf(record)}.${digest}"` : `"${digest}"`;
}

/** The record that an answer wraps under its name, where it has one with revisions. */
function recordOf(body: unknown): Revised | Counted | null {
  for (const value of Object.values(body ?? {})) {
    if (typeof value !== 'object' || value === null) continue;
    if (isCounted(value)) return value;
    if ('updated_at' in value && typeof value.updated_at === 'string') return value as Revised;
  }
  return null;
}

/** Whether the caller has these very bytes already (If-None-Match). */
export function isFresh(request: Request, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || tagsOf(header).includes(etag.slice(1, -1));
}

/** The revisions of If-Match, or null where none is asked for. */
export function revisionsAsked(request: Request): string[] | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return tagsOf(header).map((tag) => tag.split('.')[0]!);
}

function tagsOf(header: string): string[] {
  return [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag]) => tag!);
}
