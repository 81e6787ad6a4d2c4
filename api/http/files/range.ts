import type { ByteRange } from '../../../shared/platform/storage/storage.ts';

export type Validators = { etag: string; last_modified: string };

type Headers = { range?: string | undefined; 'if-range'?: string | undefined };

/** What part of a file is asked for: all of it, one range with both ends, or one that it does not have. */
export type Part = 'whole' | 'unsatisfiable' | Required<ByteRange>;

/**
 * Reads Range and If-Range (RFC 9110 13.1.5, 14.2). What is not a range of bytes is ignored, as is a range of another
 * version of the file, and several ranges: the whole file is always a right answer.
 */
export function partAsked(headers: Headers, size: number, validators: Validators): Part {
  const { range, 'if-range': condition } = headers;
  if (range === undefined || (condition !== undefined && !isSame(condition, validators))) return 'whole';
  const set = /^bytes=(.*)$/i.exec(range.trim())?.[1];
  const specs = set?.split(',').map((spec) => spec.trim()) ?? [];
  const parts = specs.filter((spec) => spec !== '').map((spec) => partOf(spec, size));
  if (parts.length === 0 || parts.includes('malformed')) return 'whole';
  const satisfiable = parts.filter((part) => typeof part === 'object');
  if (satisfiable.length === 0) return 'unsatisfiable';
  return parts.length === 1 ? satisfiable[0]! : 'whole';
}

function partOf(spec: string, size: number): 'malformed' | 'unsatisfiable' | Required<ByteRange> {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'malformed';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'malformed';
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** The comparison is a strong one: a weak ETag is never the same. */
function isSame(condition: string, { etag, last_modified }: Validators): boolean {
  return condition.includes('"') ? condition.trim() === etag : condition.trim() === last_modified;
}
