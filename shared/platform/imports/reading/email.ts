import { z } from 'zod';
import { normalForm } from '../../../kernel/normal-form.ts';
import type { Parsed } from './field.ts';

const EMAIL = z.regexes.html5Email;
const LONGEST = 254;

/**
 * An e-mail by the HTML standard's rule, 254 characters at most; full-width letters become ASCII: `invalid_email`.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export function emailOf(cell: string): Parsed {
  const trimmed = cell.trim();
  if (trimmed.length <= LONGEST && EMAIL.test(trimmed)) return { value: trimmed };
  const value = normalForm(trimmed, 'NFKC').trim();
  return value.length <= LONGEST && EMAIL.test(value) ? { value } : { fault: 'invalid_email' };
}

/** Whether a cell is an e-mail with a domain that has a dot, which nothing else looks like. */
export function isLikeEmail(cell: string): boolean {
  const parsed = emailOf(cell);
  return 'value' in parsed && /@.+\../.test(parsed.value as string);
}
