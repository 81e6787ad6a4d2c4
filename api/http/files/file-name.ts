import { domains } from '../../../shared/domains.ts';

const UNSAFE = /[^\x20-\x7e]|["\\%]/;
const UNSAFE_RUN = /(?:[^\x20-\x7e]|["\\%])+/g;

/** The words that our own file names begin with, in English for readers of ASCII: what stands behind them is ASCII already. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ['変更履歴', 'audit_logs'],
  ['取込エラー', 'import_errors'],
  ...domains.flatMap(({ file_words = {} }) => Object.entries(file_words)),
]);

/** Content-Disposition for a file to be saved under that name. */
export function attachment(file_name: string): string {
  return disposition('attachment', file_name);
}

/**
 * Content-Disposition for a file to be saved, or shown, under that name (RFC 6266): in ASCII for the oldest readers, and
 * as it is written (RFC 8187) for all others.
 */
export function disposition(place: 'attachment' | 'inline', file_name: string): string {
  const isPlain = !UNSAFE.test(file_name);
  const plain = isPlain ? file_name : inAscii(file_name);
  const exact = encodeURIComponent(file_name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = isPlain ? '' : `; filename*=UTF-8''${exact}`;
  return `${place}; filename="${plain}"${extended}`;
}

/** What is left of a name without its other letters, our own words in English; a name of nothing else is `file`. */
function inAscii(file_name: string): string {
  return file_name
    .replace(UNSAFE_RUN, (letters) => ENGLISH.get(letters) ?? '_')
    .replace(/^_+(?=\.)/, 'file')
    .replace(/^_+/, 'file_')
    .replace(/(?<!_)_+(?=\.[^.]*$)/, '');
}
