import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Connection } from '../../kernel/connection.ts';
import type { Reader } from '../../kernel/reader.ts';

export type LinkKey = { serial: number; key: Buffer };

/**
 * The key that derives the links of a purpose now, locked against its end until the transaction commits. The first link
 * of a purpose makes `drawn`, 32 random bytes, its key. It has nothing to do with AUTH_SECRET, so links outlive a change
 * of that.
 */
export async function presentKey(
  connection: Connection,
  purpose: string,
  now: Date,
  drawn: Buffer,
): Promise<LinkKey> {
  const known = await livingKey(connection, purpose);
  if (known) return known;
  await connection.query(
    `INSERT INTO link_keys (purpose, serial, key, created_at)
     SELECT $1, 1, $2, $3 WHERE NOT EXISTS (SELECT FROM link_keys WHERE purpose = $1) ON CONFLICT DO NOTHING`,
    [purpose, drawn, now.toISOString()],
  );
  // Another transaction made the first key, or replaced the one that was read before it was locked.
  const made = await livingKey(connection, purpose);
  if (!made) throw new Error(`The purpose ${purpose} has no key that makes links`);
  return made;
}

async function livingKey(connection: Connection, purpose: string): Promise<LinkKey | undefined> {
  const [found] = await connection.query<LinkKey>(
    `SELECT serial, key FROM link_keys WHERE purpose = $1 AND ended_at IS NULL
     ORDER BY serial DESC LIMIT 1 FOR SHARE`,
    [purpose],
  );
  return found;
}

/**
 * Gives a purpose a new key; links made from now on have other tokens. With `ends_links` those of the keys before it end,
 * and the keys themselves are erased. Answers the new serial; null where no link of that purpose was ever derived.
 * Locks: the purpose's advisory lock, then its keys. Links that are being made are waited for, so none of them is left out.
 */
export async function turnKey(
  connection: Connection,
  purpose: string,
  { now, drawn, ends_links }: { now: Date; drawn: Buffer; ends_links: boolean },
): Promise<number | null> {
  await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('link_keys ' || $1, 0))", [purpose]);
  const [made] = await connection.query<{ serial: number }>(
    `INSERT INTO link_keys (purpose, serial, key, created_at)
     SELECT $1, max(serial) + 1, $2, $3 FROM link_keys WHERE purpose = $1 HAVING max(serial) IS NOT NULL
     RETURNING serial`,
    [purpose, drawn, now.toISOString()],
  );
  if (!made) return null;
  if (ends_links) {
    await connection.query(
      `UPDATE link_keys SET ended_at = $3, key = '' WHERE purpose = $1 AND serial < $2 AND ended_at IS NULL`,
      [purpose, made.serial, now.toISOString()],
    );
  }
  return made.serial;
}

/** The purposes that have keys, for the message about an unknown one. */
export async function purposesWithKeys(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ purpose: string }>(
    'SELECT DISTINCT purpose FROM link_keys ORDER BY purpose LIMIT 100',
  );
  return rows.map(({ purpose }) => purpose);
}

/** The keys of purposes that have not ended, the newest first, for many requests at once. */
const livingKeys = loadOncePerTurn<LinkKey[]>(async ({ connection }, purposes) => {
  const rows = await connection.query<LinkKey & { purpose: string }>(
    `SELECT purpose, serial, key FROM link_keys WHERE purpose = ${oneOf('$1')} AND ended_at IS NULL
     ORDER BY purpose, serial DESC`,
    [purposes],
    { alone: true },
  );
  return Map.groupBy(rows, ({ purpose }) => purpose);
});

/**
 * The key that a purpose signs with now, without holding it: for what lives shortly, or is known by its serial to have ended.
 * Made where there is none.
 */
export async function usableKey(reader: Reader, purpose: string, draw: () => Buffer): Promise<LinkKey> {
  const keys = await livingKeys(reader, purpose);
  return keys?.[0] ?? presentKey(reader.connection, purpose, reader.now, draw());
}

/** The key of a purpose by its serial; null where there is none or it has ended. */
export async function keyOfSerial(reader: Reader, purpose: string, serial: number): Promise<Buffer | null> {
  const keys = await livingKeys(reader, purpose);
  return keys?.find((each) => each.serial === serial)?.key ?? null;
}
