import { z } from 'zod';
import { email, text } from '../../kernel/schema.ts';

/** A name of a person, an organization or a key: one line, since it stands in subjects of mails and headings. */
export function name(longest: number) {
  return text(longest).refine((value) => !/\p{Cc}|[\u2028\u2029]/u.test(value), {
    params: { code: 'invalid_characters' },
    error: 'must be one line without control characters',
  });
}

/** The address of an account, in lower case: one person, one account, however they write it. */
export function accountEmail() {
  return email().regex(z.regexes.email, 'must be an e-mail address').toLowerCase();
}
