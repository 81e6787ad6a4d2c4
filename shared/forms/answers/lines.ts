import { RE2JS } from 're2js';
import { z } from 'zod';
import { normalForm } from '../../kernel/normal-form.ts';
import type { FieldOf } from '../schema/schema.ts';
import { LONGEST_TEXT } from '../schema/words.ts';
import { tooLong, tooShort, wrong } from './faults.ts';
import { OTHER_DASHES, PHONE, WEB_ADDRESS } from './grammar.ts';
import type { Reads } from './reads.ts';
import { lengthOf, storedText } from './values.ts';

/** A pattern as RE2 takes it; throws where it does not. Patterns are matched in time linear in the text. */
export function compiledPattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern);
}

/** Reads a text of one or more lines. A text beyond the type's limit is not matched: it is too long whatever it says. */
export function readsText({
  type,
  min_length = 0,
  max_length = LONGEST_TEXT[type],
  pattern,
}: FieldOf<'short_text' | 'long_text'>): Reads {
  const expression = pattern === undefined ? null : compiledPattern(pattern);
  return (value) => {
    const text = storedText(value, { is_one_line: type === 'short_text', most: LONGEST_TEXT[type] });
    if (typeof text !== 'string')
      return text.code === 'too_long' ? wrong('too_long', tooLong(max_length)) : { faults: [text] };
    if (expression && !expression.testExact(text)) {
      return wrong('invalid_format', {
        en: 'This does not have the form that is asked for',
        ja: '指定された形式で入力してください',
      });
    }
    const length = lengthOf(text);
    if (length < min_length) return wrong('too_short', tooShort(min_length));
    if (length > max_length) return wrong('too_long', tooLong(max_length));
    return { answer: text };
  };
}

/** Characters of the longest e-mail, phone number and web address. */
export const LONGEST_LINE = { email: 254, phone: 100, url: 2_000 } as const;

/** Reads an e-mail by the rule of contacts: the HTML standard's, kept as written. */
export function readsEmail(): Reads {
  return readsLine(LONGEST_LINE.email, z.regexes.html5Email, {
    en: 'Enter an e-mail address such as hanako@example.com',
    ja: 'hanako@example.com のようなメールアドレスを入力してください',
  });
}

/** Reads a phone number. It is stored with the digits, dashes and signs of ASCII. */
export function readsPhone(): Reads {
  const read = readsLine(LONGEST_LINE.phone, PHONE, {
    en: 'Enter a phone number of 6 to 15 digits',
    ja: '6〜15桁の電話番号を入力してください',
  });
  const plain = (text: string) => normalForm(text, 'NFKC').replaceAll(OTHER_DASHES, '-');
  return (value, context) => read(typeof value === 'string' ? plain(value) : value, context);
}

/** Reads an address of the Web. */
export function readsAddress(): Reads {
  return readsLine(LONGEST_LINE.url, WEB_ADDRESS, {
    en: 'Enter an address that begins with http:// or https://',
    ja: 'http:// または https:// で始まるURLを入力してください',
  });
}

function readsLine(most: number, form: RegExp, message: { en: string; ja: string }): Reads {
  return (value) => {
    const text = storedText(value, { is_one_line: true });
    if (typeof text !== 'string') return { faults: [text] };
    if (!form.test(text)) return wrong('invalid_format', message);
    return text.length > most && lengthOf(text) > most ? wrong('too_long', tooLong(most)) : { answer: text };
  };
}
