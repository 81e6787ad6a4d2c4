import { fullName } from '../../full-name.ts';
import { copyValue } from '../../imports/copy-text.ts';
import type { ImportRow } from '../../imports/domain.ts';
import { idSeries } from '../../kernel/id.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { type Incoming, incomingOf, newPerson, type Rules } from './decide.ts';

/** The first row of an address in a chunk, with the ID that it would get as a contact. */
export type Staged = { id: string; incoming: Incoming };

/** A chunk made ready for the database. */
export type Prepared = {
  /** By their key, in the order of the file. */
  firsts: ReadonlyMap<string, Staged>;
  /** Further rows of addresses in this chunk, by their key, in the order of the file. */
  repeats: ReadonlyMap<string, readonly Incoming[]>;
  repeat_count: number;
  copy: readonly Uint8Array[];
};

export type Preparing = { organization_id: string; import_id: string; rules: Rules };

/** Rows whose text is put together before it becomes bytes. */
const SLICE = 512;

/**
 * Finds the repeats of a chunk and writes the others as COPY reads them into `COLUMNS`. New contacts have IDs in the
 * order of the file, of the millisecond `now`.
 */
export function prepare(
  rows: readonly ImportRow[],
  { organization_id, import_id, rules }: Preparing,
  now: Date,
): Prepared {
  const nextId = idSeries('mcont', now);
  const time = now.toISOString();
  const consent = copyValue(rules.consent && JSON.stringify(rules.consent));
  const tail = `\t${consent}\t${import_id}\t${time}\t${time}\n`;
  const firsts = new Map<string, Staged>();
  const repeats = new Map<string, Incoming[]>();
  const copy: Uint8Array[] = [];
  let text = '';
  for (const row of rows) {
    const incoming = incomingOf(row);
    const { email_key } = incoming;
    if (firsts.has(email_key)) {
      const known = repeats.get(email_key);
      if (known) known.push(incoming);
      else repeats.set(email_key, [incoming]);
      continue;
    }
    const id = nextId();
    firsts.set(email_key, { id, incoming });
    text += `${organization_id}\t${id}\t${personText(incoming, rules)}${tail}`;
    if (firsts.size % SLICE > 0) continue;
    copy.push(Buffer.from(text));
    text = '';
  }
  if (text !== '') copy.push(Buffer.from(text));
  return { firsts, repeats, repeat_count: rows.length - firsts.size, copy };
}

/** An address holds no letter that COPY reads in another way. */
function personText(incoming: Incoming, rules: Rules): string {
  const { email, email_key } = incoming;
  const { first_name, last_name, attributes } = newPerson(incoming, rules);
  const whole = fullName({ first_name, last_name });
  const kept = incoming.attributes ? copyValue(JSON.stringify(attributes)) : '{}';
  const search_text = copyValue(mailSearchText({ email, first_name, last_name }));
  return `${email}\t${email_key}\t${copyValue(first_name)}\t${copyValue(last_name)}\t${copyValue(whole || null)}\tactive\t${search_text}\t${kept}`;
}
