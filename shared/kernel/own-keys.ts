import { z } from 'zod';
import { invalid } from './failure.ts';
import { says } from './language.ts';
import { textsByName } from './open-objects.ts';
import { freeText, keyText, text } from './schema.ts';
import { inStoredOrder } from './stored-order.ts';

/**
 * What a client's own systems keep with a record: their ID for it and what they want to find there again. Both are for
 * programs: they stand in answers, events and exports, and in no search, page, mail or PDF. Copies never inherit them.
 */

/** A client's own ID of a record; no commas, since lists take several of them with commas between. */
export function externalId() {
  return text(255)
    .refine((value) => !value.includes(','), {
      params: { code: 'invalid_characters' },
      error: says({ en: 'must not hold commas', ja: 'にカンマは使えません' }),
    })
    .describe('Your own ID of the record, unique among the records of its kind in the organization.')
    .meta({ examples: ['K-1024'] });
}

/** Entries that the metadata of a record may have. */
export const MOST_METADATA = 50;

const metadataKey = () =>
  keyText(/^[A-Za-z0-9_.-]{1,40}$/, {
    en: 'must be 1 to 40 of the characters A-Z a-z 0-9 _ . -',
    ja: 'のキーは英数字と _ . - の1〜40文字で指定してください',
  });

/** Texts by name, as answers show them. */
export const Metadata = textsByName()
  .describe(`What your programs keep with the record: at most ${MOST_METADATA} texts by name.`)
  .meta({ examples: [{ erp_id: '4711' }] });

export type Metadata = z.output<typeof Metadata>;

/** Texts by name, as a request sends them. */
export const MetadataChanges = z
  .record(metadataKey(), freeText(500).nullable())
  .describe(`At most ${MOST_METADATA} texts by name, merged into those that are there; null removes one.`)
  .meta({ examples: [{ erp_id: '4711' }] });

export type MetadataChanges = z.output<typeof MetadataChanges>;

/** The two members, as answers show them. */
export const ownKeys = { external_id: externalId().nullable(), metadata: Metadata };

/** The two members, as a request sends them; each may be left out. */
export const ownKeysInput = { external_id: externalId().nullable(), metadata: MetadataChanges };

/** What a change makes of metadata. Errors: `validation_failed` with `too_many` at /metadata. */
export function metadataAfter(before: Metadata, changes: MetadataChanges | undefined): Metadata {
  if (changes === undefined) return before;
  const entries = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  if (entries.length > MOST_METADATA) {
    throw invalid('/metadata', 'too_many', {
      en: `metadata must hold ${MOST_METADATA} entries or fewer`,
      ja: `metadata は${MOST_METADATA}件以内で指定してください`,
    });
  }
  // As the database orders the keys of an object: so a record reads the same before and after it is stored.
  return inStoredOrder(Object.fromEntries(entries) as Metadata);
}
