import { fullName } from '../../full-name.ts';
import { copyValue } from '../../imports/copy-text.ts';
import type { ImportRow } from '../../imports/domain.ts';
import { idSeries } from '../../kernel/id.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { type Incoming, incomingOf, newPerson, type Rules } from './decide.ts';

/** The first row of an address in a chunk, as it would become a contact; `number` is its place in the staging table. */
export type Staged = { number: number; id: string; incoming: Incoming };

/** A chunk made ready for the database. */
export type Prepared = {
  firsts: readonly Staged[];
  /** Further rows of addresses in this chunk, by their key, in the order of the file. */
  repeats: ReadonlyMap<string, readonly Incoming[]>;
  repeat_count: number;
  copy: readonly Uint8Array[];
};

export const STAGING = `
  CREATE TEMP TABLE mail_import_staging (
    number int, id text COLLATE "C", email text, email_key text COLLATE "C", first_name text, last_name text,
    full_name text, search_text text COLLATE "C", attributes text
  ) ON COMMIT DELETE ROWS`;

export const COPY = `COPY mail_import_staging FROM STDIN`;

/** Rows whose text is put together before it becomes bytes. */
const SLICE = 512;

/**
 * Finds the repeats of a chunk and writes the others as COPY reads them. New contacts have IDs in the order of the
 * file, of the millisecond `now`.
 */
export function prepare(rows: readonly ImportRow[], rules: Rules, now: Date): Prepared {
  const nextId = idSeries('mcont', now);
  const seen = new Set<string>();
  const firsts: Staged[] = [];
  const repeats = new Map<string, Incoming[]>();
  const copy: Uint8Array[] = [];
  let text = '';
  for (const row of rows) {
    const incoming = incomingOf(row);
    const { email_key } = incoming;
    if (seen.has(email_key)) {
      const known = repeats.get(email_key);
      if (known) known.push(incoming);
      else repeats.set(email_key, [incoming]);
      continue;
    }
    seen.add(email_key);
    const staged = { number: firsts.length, id: nextId(), incoming };
    firsts.push(staged);
    text += copyLine(staged, rules);
    if (firsts.length % SLICE > 0) continue;
    copy.push(Buffer.from(text));
    text = '';
  }
  if (text !== '') copy.push(Buffer.from(text));
  return { firsts, repeats, repeat_count: rows.length - firsts.length, copy };
}

function copyLine({ number, id, incoming }: Staged, rules: Rules): string {
  const { email, email_key } = incoming;
  const { first_name, last_name, attributes } = newPerson(incoming, rules);
  const whole = fullName({ first_name, last_name });
  const kept = incoming.attributes ? copyValue(JSON.stringify(attributes)) : '{}';
  const search_text = mailSearchText({ email, first_name, last_name });
  return `${number}\t${id}\t${email}\t${email_key}\t${copyValue(first_name)}\t${copyValue(last_name)}\t${copyValue(whole || null)}\t${copyValue(search_text)}\t${kept}\n`;
}
