import type { ByteRange } from '../../../shared/platform/storage/storage.ts';
import { partAsked } from './range.ts';

/** A file as conditions see it. `last_modified` is in the form of HTTP; `ranges`: whether it is given in parts. */
export type Served = { size: number; etag: string; last_modified: string; ranges: boolean };

type Asked = {
  method: string;
  headers: Partial<
    Record<'range' | 'if-range' | 'if-match' | 'if-none-match' | 'if-modified-since', string | undefined>
  >;
};

/** What is answered: all of the file, a part of it, nothing new, or why not. */
export type Outcome = { status: 200 | 304 | 412 | 416 } | { status: 206; range: Required<ByteRange> };

/** Decides by the conditions in their order (RFC 9110 13.2.2), then by the range, which GET alone has (14.2). */
export function outcomeOf({ method, headers }: Asked, file: Served): Outcome {
  const { 'if-match': match, 'if-none-match': none_match, 'if-modified-since': since } = headers;
  if (match !== undefined && !matches(match, file.etag, 'strong')) return { status: 412 };
  if (none_match !== undefined) {
    if (matches(none_match, file.etag, 'weak')) return { status: 304 };
  } else if (Date.parse(since ?? '') >= Date.parse(file.last_modified)) return { status: 304 };
  if (method !== 'GET' || !file.ranges || !isOfThisFile(headers['if-range'], file)) return { status: 200 };
  const part = partAsked(headers.range, file.size);
  if (part === 'whole') return { status: 200 };
  return part === 'unsatisfiable' ? { status: 416 } : { status: 206, range: part };
}

/** A time is no proof for the parts of a file: two contents may be of one second. Nor is a weak ETag. */
function isOfThisFile(condition: string | undefined, { etag }: Served): boolean {
  return condition === undefined || condition.trim() === etag;
}

/** Whether a list of ETags names this one; `*` names any. A weak one counts where `comparison` is weak. */
export function matches(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  return [...list.matchAll(/(W\/)?("[^"]*")/g)].some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  );
}

/** Whether the conditions of a change let it replace the content that has this ETag; null: there is none yet. */
export function allowsChange(
  { if_match, if_none_match }: { if_match: string | null; if_none_match: string | null },
  etag: string | null,
): boolean {
  if (if_match !== null && (etag === null || !matches(if_match, etag, 'strong'))) return false;
  return if_none_match === null || etag === null || !matches(if_none_match, etag, 'weak');
}
