import { createHmac, randomBytes } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { addressBucket } from '../../kernel/networks.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { presentKey } from '../../platform/links/keys.ts';

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

/**
 * Counts what an address has done with a form in the last ten minutes, over all processes, and answers the keyed hash that the
 * row which is about to be stored must carry; null where nothing is counted. Holds the address until the transaction ends, so
 * that of any number at once only as many as are left are stored. Errors: `rate_limited` with the seconds until one is left.
 *
 * Locks: the address, an advisory lock that comes before all rows of the form.
 */
export async function countAddress(
  work: Work,
  what: Counted,
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
  what: Counted,
  { form_id, ip_address, per_address }: AddressUse,
): Promise<void> {
  if (per_address === 0) return;
  const hash = await addressHash(reader, ip_address);
  await refuseBeyond(reader, what, { form_id, hash, per_address });
}

/** The oldest of the last so many, when there are so many: it leaves the window first. */
async function refuseBeyond(
  { connection, organization_id, now }: Reader,
  what: Counted,
  { form_id, hash, per_address }: { form_id: string; hash: string; per_address: number },
): Promise<void> {
  const { table, at, share } = COUNTED[what];
  const limit = per_address * share;
  const since = new Date(now.getTime() - WINDOW_SECONDS * 1_000);
  const [oldest] = await connection.query<{ at: string }>(
    `SELECT ${at} AS at FROM ${table}
      WHERE organization_id = $1 AND form_id = $2 AND address_hash = $3 AND ${at} > $4
      ORDER BY ${at} DESC OFFSET $5 LIMIT 1`,
    [organization_id, form_id, hash, since.toISOString(), limit - 1],
  );
  if (!oldest) return;
  const wait = Math.max(1, Math.ceil((Date.parse(oldest.at) - since.getTime()) / 1_000));
  throw new Failure('rate_limited', {
    detail: {
      en: `The form takes ${limit} of these from one address in ${WINDOW_SECONDS / 60} minutes; try again in ${wait} s`,
      ja: `このフォームは同じアドレスから${WINDOW_SECONDS / 60}分間に${limit}回まで受け付けます。${wait}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(wait) },
  });
}

/**
 * What is kept of an address for 30 days: a hash under a key of the database, of the /64 where it is an IPv6 address. It tells
 * the same sender again and cannot be turned back by who does not have the key.
 */
async function addressHash({ connection, now }: Reader, ip_address: string): Promise<string> {
  const { key } = await presentKey(connection, 'forms_addresses', now, randomBytes(32));
  return createHmac('sha256', key).update(addressBucket(ip_address)).digest('base64url');
}
