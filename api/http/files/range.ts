import type { ByteRange } from '../../../shared/platform/storage/storage.ts';

/** What part of a file is asked for: all of it, one range with both ends, or one that it does not have. */
export type Part = 'whole' | 'unsatisfiable' | Required<ByteRange>;

/**
 * Reads the header Range (RFC 9110 14.2). What is not one range of bytes is ignored: the whole file is always a right
 * answer.
 */
export function partAsked(range: string | undefined, size: number): Part {
  const [, set = ''] = /^bytes=(.*)$/i.exec(range?.trim() ?? '') ?? [];
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  return specs.length === 1 ? partOf(specs[0]!, size) : 'whole';
}

function partOf(spec: string, size: number): Part {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
