import type { CompanySnapshot } from '../documents/fields.ts';
import type { PrintLocale } from './model.ts';

/**
 * The lines of an address for letters. One in Japanese goes from the large to the small, also on an English page: it
 * is Japan's post that reads it. One in Latin letters goes the other way there.
 */
export function addressOf(company: CompanySnapshot, locale: PrintLocale): string[] {
  const { postal_code, prefecture, city, address_line, building } = company;
  const parts = [prefecture, city, address_line, building];
  const lines =
    locale === 'en' && parts.every((part) => !part || !JAPANESE.test(part))
      ? [building, joined([address_line, city], ', '), joined([prefecture, postal_code], ' ')]
      : [postal_code && `〒${postal_code}`, joined([prefecture, city, address_line], ''), building];
  return lines.filter((line): line is string => Boolean(line));
}

const JAPANESE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

function joined(parts: readonly (string | null)[], between: string): string {
  return parts.filter(Boolean).join(between);
}
