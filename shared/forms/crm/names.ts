import { isLastFirst } from '../../kernel/full-name.ts';

/** Stands for a first name that nobody said. */
const NO_FIRST_NAME = '-';

/**
 * A whole name as two, split at its first space: the last name stands first where the name holds CJK letters, else the first
 * name. One without a space is a last name.
 */
export function splitName(full: string): { last_name: string; first_name: string } {
  const name = full.trim();
  const space = name.search(/\s/u);
  if (space < 0) return { last_name: name, first_name: NO_FIRST_NAME };
  const before = name.slice(0, space);
  const after = name.slice(space).trim();
  return isLastFirst(name)
    ? { last_name: before, first_name: after }
    : { last_name: after, first_name: before };
}
