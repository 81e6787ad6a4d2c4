import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { turning, turnsLine } from '../../kernel/line-direction.ts';
import { email, text } from '../../kernel/schema.ts';

/** A name of a person, an organization or a key: one line, since it stands in subjects of mails and headings. */
export function name(longest: number) {
  return text(longest).refine((value) => !/\p{Cc}|[\u2028\u2029]/u.test(value), {
    params: { code: 'invalid_characters' },
    error: says({
      en: 'must be one line without control characters',
      ja: 'は改行や制御文字を含まない1行で入力してください',
    }),
  });
}

/**
 * The name of a guest, which strangers type and others read in mails, calendars and lists: without letters that turn the order of a
 * line. For what is sent: what was stored before may have them.
 */
export function guestName(longest: number) {
  return name(longest).refine((value) => !turnsLine(value), {
    params: { code: 'invalid_characters' },
    error: says(turning),
  });
}

/** The address of an account, in lower case: one person, one account, however they write it. */
export function accountEmail() {
  return email()
    .regex(
      z.regexes.email,
      says({ en: 'must be an e-mail address', ja: 'はメールアドレスの形式で入力してください' }),
    )
    .toLowerCase();
}
