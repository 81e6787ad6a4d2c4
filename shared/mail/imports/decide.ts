import { isSameJson } from '../../kernel/same-json.ts';
import type { OnConflict } from '../../platform/imports/options.ts';
import type { KeptOutcome } from '../../platform/imports/outcomes.ts';
import { type MailConsent, MOST_ATTRIBUTES } from '../contacts/record.ts';
import type { WholeName } from './fields.ts';
import type { OwnKeys } from './own-keys.ts';

/** What a row says of a contact. Names: undefined says nothing, null clears (by a whole name of one word). */
export type Said = {
  first_name: string | null | undefined;
  last_name: string | null | undefined;
  /** Both names come from one cell: they stand and fall together. */
  is_whole_name: boolean;
  attributes: Readonly<Record<string, string>> | null;
  /** What the contact's own keys are after the row; absent where no row of the file says any. */
  keys?: OwnKeys | null;
};

/** A row: an address, and what it says of its contact. */
export type Incoming = Said & { email: string; email_key: string };

/** The values of a contact that an import can write. */
export type Person = {
  first_name: string | null;
  last_name: string | null;
  attributes: Record<string, string>;
  consent: MailConsent | null;
  /** Absent where no row of the file says any. */
  keys?: OwnKeys;
};

export type Rules = { on_conflict: OnConflict; consent: MailConsent | null };

/**
 * A row's values as what it says of a contact. Names of their own columns go before a whole name, attributes of the
 * column of attributes before those of a column without a field.
 */
export function incomingOf(row: {
  values: Readonly<Record<string, unknown>>;
  unmapped: Readonly<Record<string, string>> | null;
}): Incoming {
  const { values, unmapped } = row;
  const email = values['email'] as string;
  const whole = values['full_name'] as WholeName | undefined;
  const first_name = values['first_name'] as string | undefined;
  const last_name = values['last_name'] as string | undefined;
  const said = values['attributes'] as Record<string, string> | undefined;
  const is_whole_name = whole !== undefined && first_name === undefined && last_name === undefined;
  return {
    email,
    // An address that was parsed is ASCII: lower case is all that its key needs.
    email_key: email.toLowerCase(),
    first_name: is_whole_name ? whole.first_name : first_name,
    last_name: is_whole_name ? whole.last_name : last_name,
    is_whole_name,
    attributes: said === undefined ? unmapped : { ...unmapped, ...said },
  };
}

/** A new contact's values. */
export function newPerson(incoming: Incoming, { consent }: Rules): Person {
  return {
    first_name: incoming.first_name ?? null,
    last_name: incoming.last_name ?? null,
    attributes: incoming.attributes ? addedTo({}, incoming.attributes, 'update') : {},
    consent,
  };
}

/** A contact's values after a row, by the rule for conflicts. */
export function merged(person: Person, incoming: Said, { on_conflict, consent }: Rules): Person {
  if (on_conflict === 'skip') return person;
  const fills = on_conflict === 'fill_blank';
  const { first_name, last_name, is_whole_name, attributes } = incoming;
  const isNamed = person.first_name !== null || person.last_name !== null;
  const takes = (present: string | null, cell: string | null | undefined) => {
    if (cell === undefined) return present;
    if (fills && (is_whole_name ? isNamed : present !== null)) return present;
    return cell;
  };
  return {
    first_name: takes(person.first_name, first_name),
    last_name: takes(person.last_name, last_name),
    attributes: attributes ? addedTo(person.attributes, attributes, on_conflict) : person.attributes,
    consent: laterConsent(person.consent, consent, fills),
    ...(incoming.keys && { keys: incoming.keys }),
  };
}

function addedTo(
  present: Record<string, string>,
  cells: Readonly<Record<string, string>>,
  on_conflict: OnConflict,
): Record<string, string> {
  const all = { ...present };
  let count = Object.keys(all).length;
  for (const [name, cell] of Object.entries(cells)) {
    const isKnown = Object.hasOwn(all, name);
    if (isKnown && on_conflict === 'fill_blank' && all[name] !== '') continue;
    if (!isKnown && count >= MOST_ATTRIBUTES) continue;
    if (!isKnown) count += 1;
    all[name] = cell;
  }
  return all;
}

/** A consent never gives way to an older one: it would forget what the person agreed to last. */
function laterConsent(
  present: MailConsent | null,
  fresh: MailConsent | null,
  fills: boolean,
): MailConsent | null {
  if (fresh === null || present === null) return fresh ?? present;
  return !fills && fresh.at > present.at ? fresh : present;
}

/** What differs, as `{ field: [before, after] }`. */
export function differences(before: Person, after: Person): NonNullable<KeptOutcome['before']> {
  const changes: NonNullable<KeptOutcome['before']> = {};
  if (before.first_name !== after.first_name) changes['first_name'] = [before.first_name, after.first_name];
  if (before.last_name !== after.last_name) changes['last_name'] = [before.last_name, after.last_name];
  for (const field of ['attributes', 'consent'] as const) {
    if (!isSameJson(before[field], after[field])) changes[field] = [before[field], after[field]];
  }
  for (const field of ['external_id', 'metadata'] as const) {
    const [was, is] = [before.keys?.[field], after.keys?.[field]];
    if (was !== undefined && is !== undefined && !isSameJson(was, is)) changes[field] = [was, is];
  }
  return changes;
}
