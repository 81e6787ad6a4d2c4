import { createHmac, randomBytes } from 'node:crypto';
import { refusesBy } from '../../db/constraint.ts';
import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { Failure } from '../../kernel/failure.ts';
import { addressBucket } from '../../kernel/networks.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { type LinkKey, usableKey } from '../../platform/links/keys.ts';

/** The window in which submissions, uploads and savings of an address are counted. */
const WINDOW_SECONDS = 10 * 60;

/** How many times as many uploads as submissions an address has, and as many times what it may save: a form may take several files. */
const UPLOADS_PER_SUBMISSION = 4;

/** What an address does with a form, and the table whose rows tell how often. */
const COUNTED = {
  submission: { table: 'forms_responses', at: 'submitted_at', share: 1 },
  upload: { table: 'forms_files', at: 'created_at', share: UPLOADS_PER_SUBMISSION },
  saving: { table: 'forms_partials', at: 'created_at', share: UPLOADS_PER_SUBMISSION },
} as const;

export type Counted = keyof typeof COUNTED;

/** Who does how much with which form. `per_address` is the setting of the form: 0 is any number. */
export type AddressUse = {
  form_id: string;
  /** The client's address. */
  ip_address: string;
  per_address: number;
};

/** Who submits, as the admission counts it: the keyed hash of an address, and how often it may. */
export type Sender = { address_hash: string; per_address: number };

/** The purpose whose key in the database hides addresses. */
export const ADDRESS_KEY = 'forms_addresses';

/** The constraint by which the admission refuses who has submitted too often. */
export const PER_ADDRESS = 'forms_responses_per_address';

/**
 * Who submits to a form, by the key of `ADDRESS_KEY`; null where nobody is counted. Holds nothing and leaves no transaction begun:
 * of any number at once the admission takes as many as are left. Errors: `rate_limited` with the seconds until one is left.
 */
export async function senderOf(
  reader: Reader,
  key: LinkKey,
  { form_id, ip_address, per_address }: AddressUse,
): Promise<Sender | null> {
  if (per_address === 0) return null;
  const hash = hashOf(key, ip_address);
  await refuseBeyond(reader, 'submission', { form_id, hash, per_address });
  return { address_hash: hash, per_address };
}

/** The time after which what was submitted counts at a moment. */
export function windowBefore(now: Date): string {
  return new Date(now.getTime() - WINDOW_SECONDS * 1_000).toISOString();
}

/** What an address does to a form while it is answered: it is counted before it is stored. */
type Prepared = Exclude<Counted, 'submission'>;

/**
 * Counts what an address has done with a form in the last ten minutes, over all processes, and answers the keyed hash that the
 * row which is about to be stored must carry; null where nothing is counted. Holds the address until the transaction ends, so
 * that of any number at once only as many as are left are stored. Errors: `rate_limited` with the seconds until one is left.
 *
 * Locks: the address, an advisory lock that comes before all rows of the form.
 */
export async function countAddress(
  work: Work,
  what: Prepared,
  { form_id, ip_address, per_address }: AddressUse,
): Promise<string | null> {
  if (per_address === 0) return null;
  const hash = await addressHash(work, ip_address);
  const { connection, organization_id } = work;
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `forms ${what} ${organization_id} ${form_id} ${hash}`,
  ]);
  await refuseBeyond(work, what, { form_id, hash, per_address });
  return hash;
}

/** The same without holding the address, before a body is taken: what is stored is counted once more. */
export async function refuseBusyAddress(
  reader: Reader,
  what: Prepared,
  { form_id, ip_address, per_address }: AddressUse,
): Promise<void> {
  if (per_address === 0) return;
  const hash = await addressHash(reader, ip_address);
  await refuseBeyond(reader, what, { form_id, hash, per_address });
}

/** The oldest of the last so many, when there are so many: it leaves the window first. */
async function refuseBeyond(
  reader: Reader,
  what: Counted,
  { form_id, hash, per_address }: { form_id: string; hash: string; per_address: number },
): Promise<void> {
  const limit = per_address * COUNTED[what].share;
  const oldest = await oldestOfLast[what](reader, `${form_id} ${hash} ${limit}`);
  if (oldest === undefined) return;
  const since = Date.parse(windowBefore(reader.now));
  // What was stored while this one waited is younger than it.
  const wait = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((Date.parse(oldest) - since) / 1_000)));
  throw new Failure('rate_limited', {
    detail: {
      en: `The form takes ${limit} of these from one address in ${WINDOW_SECONDS / 60} minutes; try again in ${wait} s`,
      ja: `このフォームは同じアドレスから${WINDOW_SECONDS / 60}分間に${limit}回まで受け付けます。${wait}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(wait) },
  });
}

/**
 * By `FORM HASH LIMIT`, for many requests at once. `OFFSET 0` keeps what the address has sent a step of its own, so that no index but that
 * of addresses is taken for it.
 */
function oldest(what: Counted) {
  const { table, at } = COUNTED[what];
  return loadOncePerTurn<string>(async ({ connection, organization_id, now }, keys) => {
    const asked = keys.map((key) => key.split(' '));
    const rows = await connection.query<{ place: number; at: string }>(
      `SELECT asked.place::integer, oldest.at
         FROM unnest($2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS asked (form_id, hash, before_it, place),
           LATERAL (
             SELECT at FROM (
               SELECT organization_id, form_id, ${at} AS at FROM ${table}
                WHERE address_hash = asked.hash AND ${at} > $5
                ORDER BY ${at} DESC OFFSET 0) AS sent
              WHERE organization_id = $1 AND form_id = asked.form_id
              ORDER BY at DESC OFFSET asked.before_it LIMIT 1) AS oldest`,
      [
        organization_id,
        asked.map(([form_id]) => form_id),
        asked.map(([, hash]) => hash),
        asked.map(([, , limit]) => Number(limit) - 1),
        windowBefore(now),
      ],
      { alone: true },
    );
    return new Map(rows.map((row) => [keys[row.place - 1]!, row.at]));
  });
}

const oldestOfLast = {
  submission: oldest('submission'),
  upload: oldest('upload'),
  saving: oldest('saving'),
};

async function addressHash(reader: Reader, ip_address: string): Promise<string> {
  return hashOf(await usableKey(reader, ADDRESS_KEY, () => randomBytes(32)), ip_address);
}

/**
 * What is kept of an address for 30 days: a hash under a key of the database, of the /64 where it is an IPv6 address. It tells
 * the same sender again and cannot be turned back by who does not have the key.
 */
function hashOf({ key }: LinkKey, ip_address: string): string {
  return createHmac('sha256', key).update(addressBucket(ip_address)).digest('base64url');
}

// Who hears this came with others at once: one that is judged again is told how long to wait.
refusesBy(PER_ADDRESS, () => new Failure('rate_limited', { headers: { 'Retry-After': '1' } }));
