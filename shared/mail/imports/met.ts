import type { Said } from './decide.ts';
import type { ExistingContact } from './existing-contacts.ts';
import type { JudgedKeys } from './own-keys.ts';
import type { Prepared } from './staging.ts';

/** A contact that a staged row met, with the names that the row says. */
export type Met = ExistingContact & { said_first_name: string | null; said_last_name: string | null };

/** What the row said: blank cells say nothing, but for the part that a whole name has not. */
export function saidOf(met: Met, { whole_names, attributes, own_keys }: Prepared): Said {
  const is_whole_name = whole_names.has(met.email_key);
  const nothing = is_whole_name ? null : undefined;
  return {
    first_name: met.said_first_name ?? nothing,
    last_name: met.said_last_name ?? nothing,
    is_whole_name,
    attributes: attributes.get(met.email_key) ?? null,
    keys: own_keys.get(met.email_key) ?? null,
  };
}

/** Whether the same addresses of a chunk are suppressed as when its keys were decided. */
export function isAsJudged(
  suppressed: ReadonlySet<string>,
  { refused, before }: JudgedKeys,
  keys: Prepared['keys'],
): boolean {
  return [...keys.keys()].every((key) =>
    // Of a contact that is there, it may be refused for itself.
    before.has(key) ? !suppressed.has(key) || refused.has(key) : suppressed.has(key) === refused.has(key),
  );
}

export function idsOf(
  { first_id, last_id }: Prepared,
  created: number,
): { first: string; last: string } | null {
  return created === 0 ? null : { first: first_id!, last: last_id! };
}

/** A contact was deleted, made or given a key between two looks: the transaction is run again, as if it had lost against another one. */
export function lostAnAddress(): Error {
  return Object.assign(new Error('An address changed while it was merged'), { code: '40001' });
}
