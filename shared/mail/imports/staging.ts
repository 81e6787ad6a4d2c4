import { fullName } from '../../kernel/full-name.ts';
import { firstIdOf, idSeries } from '../../kernel/id.ts';
import {
  type CopyRows,
  columnCount,
  jsonField,
  textField,
  timeField,
} from '../../platform/imports/copy-rows.ts';
import type { ImportRow } from '../../platform/imports/domain.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { type Incoming, incomingOf, newPerson, type Rules, type Said } from './decide.ts';
import type { OwnKeys } from './own-keys.ts';

/** A chunk made ready for the database: what COPY reads, and what is needed beside it. */
export type Prepared = {
  /** By the addresses as they are compared. */
  keys: ReadonlyMap<string, unknown>;
  /** Those whose first row names the person by one cell. */
  whole_names: ReadonlySet<string>;
  /** The attributes that their first rows say. */
  attributes: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The own keys after their first rows. */
  own_keys: ReadonlyMap<string, OwnKeys>;
  /** Further rows of addresses in this chunk, in the order of the file. */
  repeats: ReadonlyMap<string, readonly Said[]>;
  repeat_count: number;
  /** Of the IDs that its contacts would get; null without rows. */
  first_id: string | null;
  last_id: string | null;
  copy: readonly Uint8Array[];
};

export type Preparing = {
  organization_id: string;
  import_id: string;
  rules: Rules;
  /** Whether rows may say attributes, by a column of theirs or by columns without a field. */
  takes_attributes: boolean;
  /** Whether rows may say own keys: then `take` is told those of their contacts. */
  takes_keys: boolean;
};

/** What COPY is given of a new contact, in its order; the rest has the table's defaults. */
export function stagedColumns({
  rules,
  takes_attributes,
  takes_keys,
}: Pick<Preparing, 'rules' | 'takes_attributes' | 'takes_keys'>): string[] {
  const names = ['email', 'email_key', 'first_name', 'last_name', 'full_name', 'search_text'];
  const attributes = takes_attributes ? ['attributes'] : [];
  const keys = takes_keys ? ['external_id', 'metadata'] : [];
  const consent = rules.consent === null ? [] : ['consent'];
  return [
    'organization_id',
    'id',
    ...names,
    ...attributes,
    ...keys,
    'import_id',
    'created_at',
    'updated_at',
    ...consent,
  ];
}

/** Bytes of a row besides its texts: lengths, IDs and times. */
const FIXED = 400;

/** What stands where the ID will be. */
const NO_ID = firstIdOf('mcont', new Date(0));

/**
 * From so many contacts on, a chunk is written in the order of its addresses: neighbours meet in the same pages of
 * the index of addresses, whose pages are otherwise fetched anew for each row (docs/decisions/0017-imports.md).
 */
const SORTED_FROM = 5_000;

/**
 * Takes the rows of a chunk one by one: the first of each address is written as COPY reads it, the others are put
 * aside. Little is held of a row, since what outlives the next collection costs more than all the rest. New contacts
 * have IDs of the millisecond `now`, in the order in which they are written.
 */
export class StagedRows {
  readonly #rules: Rules;
  readonly #takes_attributes: boolean;
  readonly #nextId: () => string;
  readonly #head: Uint8Array;
  readonly #tail: Uint8Array;
  readonly #copy: CopyRows;
  /** The number of the row by its address. */
  readonly #keys = new Map<string, number>();
  readonly #whole_names = new Set<string>();
  readonly #attributes = new Map<string, Readonly<Record<string, string>>>();
  readonly #own_keys = new Map<string, OwnKeys>();
  readonly #repeats = new Map<string, Said[]>();
  #repeat_count = 0;

  /** `copy` has no rows; nobody else writes into it until `done`. */
  constructor(preparing: Preparing, now: Date, copy: CopyRows) {
    const { organization_id, import_id, rules, takes_attributes } = preparing;
    this.#rules = rules;
    this.#takes_attributes = takes_attributes;
    this.#copy = copy;
    this.#nextId = idSeries('mcont', now);
    const count = stagedColumns(preparing).length;
    this.#head = Buffer.concat([columnCount(count), textField(organization_id), textField(NO_ID)]);
    const time = timeField(now);
    const consent = rules.consent === null ? [] : [jsonField(rules.consent)];
    this.#tail = Buffer.concat([textField(import_id), time, time, ...consent]);
  }

  /** `keys` are those that the contact has after this row, `all` those that it has after all rows of the chunk. */
  take(row: ImportRow, keys: OwnKeys | null = null, all: OwnKeys | null = null): void {
    const incoming = { ...incomingOf(row), ...(keys && { keys }) };
    const { email_key } = incoming;
    if (this.#keys.has(email_key)) {
      this.#repeat_count += 1;
      const known = this.#repeats.get(email_key);
      if (known) known.push(incoming);
      else this.#repeats.set(email_key, [incoming]);
      return;
    }
    this.#keys.set(email_key, this.#keys.size);
    if (incoming.is_whole_name) this.#whole_names.add(email_key);
    if (incoming.attributes) this.#attributes.set(email_key, incoming.attributes);
    if (keys) this.#own_keys.set(email_key, keys);
    this.#write(incoming, all);
  }

  done(): Prepared {
    const order = [...this.#keys.values()];
    if (order.length >= SORTED_FROM) {
      const sorted = [...this.#keys.keys()].sort();
      sorted.forEach((key, at) => {
        order[at] = this.#keys.get(key)!;
      });
    }
    let first_id: string | null = null;
    let last_id: string | null = null;
    for (const row of order) {
      last_id = this.#nextId();
      first_id ??= last_id;
      this.#copy.overwrite(row, this.#head.length - NO_ID.length, last_id);
    }
    return {
      keys: this.#keys,
      whole_names: this.#whole_names,
      attributes: this.#attributes,
      own_keys: this.#own_keys,
      repeats: this.#repeats,
      repeat_count: this.#repeat_count,
      first_id,
      last_id,
      copy: this.#copy.finish(order),
    };
  }

  #write(incoming: Incoming, keys: OwnKeys | null): void {
    const { email, email_key } = incoming;
    const { first_name, last_name, attributes } = newPerson(incoming, this.#rules);
    const whole = fullName({ first_name, last_name });
    const search_text = mailSearchText({ email, first_name, last_name });
    const kept = this.#takes_attributes ? jsonField(attributes) : null;
    const metadata = keys ? jsonField(keys.metadata) : null;
    // A letter of JavaScript has three bytes at most, and both names together are the full one.
    const letters =
      email.length * 2 + whole.length * 2 + search_text.length + (keys?.external_id?.length ?? 0);
    const copy = this.#copy;
    copy.begin(FIXED + this.#tail.length + letters * 3 + (kept?.length ?? 0) + (metadata?.length ?? 0));
    copy.bytes(this.#head);
    copy.text(email);
    copy.text(email_key);
    copy.text(first_name);
    copy.text(last_name);
    copy.text(whole || null);
    copy.text(search_text);
    if (kept !== null) copy.bytes(kept);
    if (keys && metadata) {
      copy.text(keys.external_id);
      copy.bytes(metadata);
    }
    copy.bytes(this.#tail);
  }
}
