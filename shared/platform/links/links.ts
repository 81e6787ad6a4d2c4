import type { Connection } from '../../kernel/connection.ts';
import type { Work } from '../../kernel/work.ts';
import { presentKey } from './keys.ts';
import { type LinkEnd, type LinkedRecord, type LinkPurpose, pageOf } from './purpose.ts';
import { derivedToken, hashOfOtherToken, hashOfToken } from './token.ts';

export type { LinkedRecord } from './purpose.ts';

/** A link as it is found by its token. */
export type Link = LinkedRecord & {
  purpose: LinkPurpose;
  /** The token's SHA-256 in hexadecimal digits: what limits and repeated requests are counted by. */
  token_hash: string;
  /** What the link was made for besides its record, such as the e-mail address that it was sent to. */
  bound_to: string | null;
  expires_at: string | null;
  state: 'living' | Exclude<LinkEnd, 'unknown'>;
};

/** What a link is made with. */
export type LinkMaking = {
  connection: Connection;
  now: Date;
  base_url: string;
  /** A new random token (`tokenFrom`). */
  newToken: () => string;
};

/**
 * Which link: the record, what it is bound to, and for derived ones what tells it from others of the record. `until` is when
 * it ends where that follows from the record and not from the purpose.
 */
export type LinkFor = LinkedRecord & { bound_to?: string; serial?: string; until?: Date };

/**
 * Makes a link and answers its address. A derived one with the same record, generation, serial and bound value is the same
 * link again: its time starts anew, and it stays used up where it was. Throws where the token is that of another link.
 * Locks: the record's generation where the purpose has one living link, then the purpose's key, then the link.
 */
export async function newLink(making: LinkMaking, purpose: LinkPurpose, about: LinkFor): Promise<string> {
  return `${making.base_url}${pageOf(purpose, await newLinkToken(making, purpose, about))}`;
}

/** The same for a link whose token stands elsewhere in the address; answers the token. */
export async function newLinkToken(
  { connection, now, newToken }: Omit<LinkMaking, 'base_url'>,
  purpose: LinkPurpose,
  about: LinkFor,
): Promise<string> {
  const { organization_id, record_id, bound_to = null, serial = '' } = about;
  const generation = purpose.one_living
    ? await raiseGeneration(connection, purpose, about, now)
    : await presentGeneration(connection, purpose, about);
  const drawn = newToken();
  const key =
    purpose.token === 'derived'
      ? await presentKey(connection, purpose.name, now, Buffer.from(drawn, 'hex'))
      : null;
  const parts = [purpose.name, organization_id, record_id, generation, serial, bound_to];
  const token = key ? derivedToken(key.key, parts, purpose.derived_as) : drawn;
  const { until = purpose.lifetime === null ? null : new Date(now.getTime() + purpose.lifetime) } = about;
  const expires_at = until?.toISOString() ?? null;
  const [made] = await connection.query(
    `INSERT INTO links AS known (token_hash, organization_id, purpose, record_id, generation, key_serial, bound_to, max_uses,
       created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (token_hash) DO UPDATE SET expires_at = excluded.expires_at
       WHERE (known.organization_id, known.purpose, known.record_id, known.generation)
           = (excluded.organization_id, excluded.purpose, excluded.record_id, excluded.generation)
         AND known.bound_to IS NOT DISTINCT FROM excluded.bound_to
     RETURNING 1`,
    [
      hashOfToken(token),
      organization_id,
      purpose.name,
      record_id,
      generation,
      key?.serial ?? null,
      bound_to,
      purpose.max_uses,
      now.toISOString(),
      expires_at,
    ],
  );
  if (!made) throw new Error('The token of a new link belongs to another link');
  return token;
}

type LinkRow = LinkedRecord & {
  bound_to: string | null;
  expires_at: string | null;
  is_used: boolean;
  is_revoked: boolean;
};

/** Whether a link is used up. The release before this one counts no uses: it sets the time of the only one. */
const USED = 'coalesce(greatest(l.uses, (l.used_at IS NOT NULL)::integer) >= l.max_uses, false)';
const REVOKED = 'l.generation < coalesce(g.generation, 1)';

/**
 * The link of a token, whatever became of it; null for what is not a link of that purpose. It changes nothing: mail scanners
 * open links too.
 */
export async function findLink(
  connection: Connection,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<Link | null> {
  const hash = hashOfToken(token);
  if (!hash) return linkOfOtherToken(connection, purpose, token, now);
  const row = await rowOf(connection, purpose, hash);
  if (!row) return null;
  const { organization_id, record_id, bound_to, expires_at } = row;
  const token_hash = hash.toString('hex');
  return { purpose, token_hash, organization_id, record_id, bound_to, expires_at, state: stateOf(row, now) };
}

/**
 * Whether a link that was found lives still. To be asked in the transaction of what the link allows, behind the lock of its record
 * that ends links too: who waited for it may have found a link that has ended since.
 */
export async function isLiving(
  connection: Connection,
  purpose: LinkPurpose,
  token_hash: string,
  now: Date,
): Promise<boolean> {
  const row = await rowOf(connection, purpose, Buffer.from(token_hash, 'hex'));
  return row !== undefined && stateOf(row, now) === 'living';
}

async function rowOf(
  connection: Connection,
  { name }: LinkPurpose,
  hash: Buffer,
): Promise<LinkRow | undefined> {
  const [row] = await connection.query<LinkRow>(
    `SELECT l.organization_id, l.record_id, l.bound_to, l.expires_at, ${USED} AS is_used,
       ${REVOKED} OR k.ended_at IS NOT NULL AS is_revoked
     FROM links l
     LEFT JOIN link_generations g ON g.organization_id = l.organization_id AND g.purpose = l.purpose
       AND g.record_id = l.record_id
     LEFT JOIN link_keys k ON k.purpose = l.purpose AND k.serial = l.key_serial
     WHERE l.token_hash = $1 AND l.purpose = $2`,
    [hash, name],
  );
  return row;
}

async function linkOfOtherToken(
  connection: Connection,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<Link | null> {
  const found = await purpose.finds?.(connection, token, now);
  if (!found) return null;
  const token_hash = hashOfOtherToken(token);
  return { ...found, purpose, token_hash, bound_to: null, expires_at: null, state: 'living' };
}

function stateOf({ is_used, is_revoked, expires_at }: LinkRow, now: Date): Link['state'] {
  if (is_used) return 'used';
  if (is_revoked) return 'revoked';
  return expires_at !== null && expires_at <= now.toISOString() ? 'expired' : 'living';
}

/**
 * Counts one use of a link that is living still: of many at the same time as many succeed as the purpose allows. Null
 * for what is not a living link. To be called in the transaction of what the link allows. Locks: the record's generation,
 * then the link, so that a use and a revoking wait for each other. A key that has ended by then ends the link too.
 */
export async function useLink(
  connection: Connection,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<Link | null> {
  const found = await findLink(connection, purpose, token, now);
  if (found?.state !== 'living') return null;
  const generation = await lockGeneration(connection, purpose, found);
  const [used] = await connection.query(
    `UPDATE links l SET uses = l.uses + 1, used_at = $3
     WHERE l.token_hash = $1 AND l.generation = $2 AND NOT ${USED} AND NOT EXISTS (
       SELECT FROM link_keys k WHERE k.purpose = l.purpose AND k.serial = l.key_serial AND k.ended_at IS NOT NULL)
     RETURNING 1`,
    [hashOfToken(token), generation, now.toISOString()],
  );
  if (!used) return null;
  if (purpose.use_ends_others) await raiseGeneration(connection, purpose, found, now);
  return found;
}

/** Ends every link of a record that was made before, at the commit of the work. */
export function endLinks(work: Work, purpose: LinkPurpose, about: LinkedRecord): void {
  for (const [text, values] of endingStatements(purpose, about, work.now)) work.run(text, values);
}

/** Moves the end of the living links of a record, at the commit of the work. */
export function moveEndOfLinks(work: Work, { name }: LinkPurpose, record_id: string, until: Date): void {
  work.run(
    `UPDATE links SET expires_at = $4
      WHERE organization_id = $1 AND purpose = $2 AND record_id = $3 AND expires_at > $5`,
    [work.organization_id, name, record_id, until.toISOString(), work.now.toISOString()],
  );
}

async function raiseGeneration(
  connection: Connection,
  purpose: LinkPurpose,
  about: LinkedRecord,
  now: Date,
): Promise<number> {
  for (const [text, values] of endingStatements(purpose, about, now)) await connection.query(text, values);
  return presentGeneration(connection, purpose, about);
}

/** Raises the generation, which locks it; then lets the sweep find the links that ended with it. */
function endingStatements(
  { name }: LinkPurpose,
  { organization_id, record_id }: LinkedRecord,
  now: Date,
): [text: string, values: unknown[]][] {
  const record = [organization_id, name, record_id];
  return [
    [
      `INSERT INTO link_generations AS known (organization_id, purpose, record_id, generation) VALUES ($1, $2, $3, 2)
       ON CONFLICT (organization_id, purpose, record_id) DO UPDATE SET generation = known.generation + 1`,
      record,
    ],
    [
      `UPDATE links l SET expires_at = least(l.expires_at, $4)
       WHERE l.organization_id = $1 AND l.purpose = $2 AND l.record_id = $3 AND NOT ${USED}`,
      [...record, now.toISOString()],
    ],
  ];
}

async function lockGeneration(
  connection: Connection,
  { name }: LinkPurpose,
  { organization_id, record_id }: LinkedRecord,
): Promise<number> {
  const [row] = await connection.query<{ generation: number }>(
    `INSERT INTO link_generations AS known (organization_id, purpose, record_id, generation) VALUES ($1, $2, $3, 1)
     ON CONFLICT (organization_id, purpose, record_id) DO UPDATE SET generation = known.generation RETURNING generation`,
    [organization_id, name, record_id],
  );
  return row!.generation;
}

async function presentGeneration(
  connection: Connection,
  { name }: LinkPurpose,
  { organization_id, record_id }: LinkedRecord,
): Promise<number> {
  const [row] = await connection.query<{ generation: number }>(
    'SELECT present_link_generation($1, $2, $3) AS generation',
    [organization_id, name, record_id],
  );
  return row!.generation;
}
