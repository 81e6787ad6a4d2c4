import { comparableName } from '../../../platform/search/legal-forms.ts';
import { waysOf } from '../../../platform/search/variants.ts';

/*
 * Banks write who pays in half-width kana without small letters, often cut, with legal forms as letters and a bracket:
 * ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ is 株式会社青空商店, whose kana are アオゾラ・ショウテン.
 */

/** A name as that of a payer and registered ones are compared: as a search does, and without marks of any kind. */
export function payerKey(name: string): string {
  return comparableName(name).replace(MARKS, '');
}

/** All but letters and digits; a long vowel is a mark that banks write as a hyphen, or leave out. */
const MARKS = /[^\p{L}\p{N}]|ー/gu;

/**
 * How a name of a payer is found in a searched text (`search_text`, `search_grams`), whatever marks stand in it; null for one
 * that is too short, or has no letter that is written in one way alone: no index tells who has that.
 */
export function payerSearch(name: string): { grams: number[]; pattern: string } | null {
  const letters = [...payerKey(name)];
  const sure = letters.filter((letter) => waysOf(letter) === null && letter.length === 1);
  if (letters.length < 2 || sure.length === 0) return null;
  return {
    grams: [...new Set(sure.map((letter) => letter.charCodeAt(0)))].sort((one, other) => one - other),
    // Letters and digits of any script mean themselves in a regular expression.
    pattern: letters.map((letter) => writingsOf(letter)).join('[-ー・.,&() ]*'),
  };
}

function writingsOf(letter: string): string {
  const ways = waysOf(letter);
  return ways === null ? letter : `[${ways.join('')}]`;
}
