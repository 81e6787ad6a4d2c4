import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';
import { asHeader } from './placeholders.ts';

/** RFC 2047 allows 75 characters a word, of which 12 go around; the field's name stands before the first. */
const LONGEST_WORD = 52;

/** A field of unstructured text, folded. No value ends its line, and none is read as an encoded word. */
export function textHeader(name: string, value: string): string {
  return foldLines(`${name}: ${words(asHeader(value).trim())}`, 76);
}

/** A field with an address, with a name or without. */
export function addressHeader(field: string, address: { name: string | null; email: string }): string {
  const name = asHeader(address.name ?? '').trim();
  const phrase = isPlain(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : words(name);
  return foldLines(`${field}: ${name === '' ? address.email : `${phrase} <${address.email}>`}`, 76);
}

function words(text: string): string {
  return isPlain(text) ? text : encodeWord(text, 'B', LONGEST_WORD);
}

/** Lines are folded between words alone, and none may be blank (RFC 5322 2.1.1, 2.2.3): long words and gaps are encoded, which cuts them. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.includes('=?') && !/[^ ]{71}| {20}/.test(text);
}
