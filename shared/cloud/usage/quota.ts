import type { Connection } from '../../kernel/connection.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';

/**
 * What an organization keeps: `used_bytes` of all versions, the trash too, and `reserved_bytes` of what is arriving. Their
 * one row is locked behind all others.
 */
export type Used = { used_bytes: number; reserved_bytes: number };

export async function usedBytes({ connection, organization_id }: Reader): Promise<Used> {
  const [used] = await connection.query<Used>(
    'SELECT used_bytes, reserved_bytes FROM cloud_usage WHERE organization_id = $1',
    [organization_id],
  );
  return used ?? { used_bytes: 0, reserved_bytes: 0 };
}

/** Bytes that the organization may keep: the fewer of what the installation and its own settings say; null for no bound. */
export async function quotaOf(reader: Reader, installation_bytes: number): Promise<number | null> {
  const [settings] = await reader.connection.query<{ quota_bytes: number | null }>(
    'SELECT quota_bytes FROM cloud_settings WHERE organization_id = $1',
    [reader.organization_id],
  );
  const own = settings?.quota_bytes ?? null;
  if (installation_bytes === 0) return own;
  return own === null ? installation_bytes : Math.min(own, installation_bytes);
}

/** The same in a statement about the organization `$1`, by the place of what the installation says; no bound there is 0. */
function quotaBy(place: string): string {
  const own = 'SELECT quota_bytes FROM cloud_settings WHERE organization_id = $1';
  return `least(nullif(${place}::bigint, 0), (${own}))`;
}

/**
 * Adds bytes to what is used or reserved if the quota leaves room for them, by one statement, so that uploads at the same
 * time never pass it. Errors: `quota_exceeded`.
 */
export async function takeRoom(
  work: Work,
  { used = 0, reserved = 0 }: { used?: number; reserved?: number },
  installation_bytes: number,
): Promise<void> {
  const { connection, organization_id } = work;
  const taken = await connection.query(
    `INSERT INTO cloud_usage AS usage (organization_id, used_bytes, reserved_bytes)
     SELECT $1::text, greatest($2::bigint, 0), greatest($3::bigint, 0)
      WHERE ${quotaBy('$4')} IS NULL OR $2::bigint + $3::bigint <= greatest(${quotaBy('$4')}, 0)
     ON CONFLICT (organization_id) DO UPDATE
       SET used_bytes = usage.used_bytes + $2::bigint, reserved_bytes = usage.reserved_bytes + $3::bigint
     WHERE ${quotaBy('$4')} IS NULL OR $2::bigint + $3::bigint <= 0
        OR usage.used_bytes + usage.reserved_bytes + $2::bigint + $3::bigint <= ${quotaBy('$4')}
     RETURNING 1`,
    [organization_id, used, reserved, installation_bytes],
  );
  if (taken.length > 0) return;
  throw await quotaExceeded(work, (await quotaOf(work, installation_bytes))!);
}

/** Connections whose work found no room at its end. */
const foundNone = new WeakSet<Connection>();

/**
 * Takes room for bytes that are used with what the work sends at its end: without a trip of its own, and the row, which all
 * uploads of an organization lock, is locked for that last one alone. Where there is no room the work runs again, and is
 * refused as by `takeRoom`.
 */
export async function takeRoomAtEnd(work: Work, bytes: number, installation_bytes: number): Promise<void> {
  const { connection, organization_id } = work;
  if (bytes === 0) return;
  if (foundNone.has(connection)) return takeRoom(work, { used: bytes }, installation_bytes);
  work.repeatOn('cloud_usage_used_bytes_check', () => foundNone.add(connection));
  work.run(TAKE_OR_FAIL, [organization_id, bytes, installation_bytes], { table: 'cloud_usage' });
}

/** Where there is no room, the negative number that the table refuses ends the transaction: nobody waits for an answer here. */
const TAKE_OR_FAIL = `
  INSERT INTO cloud_usage AS usage (organization_id, used_bytes)
  SELECT $1::text, CASE WHEN quota.bytes IS NULL OR $2::bigint <= quota.bytes THEN $2::bigint ELSE -1 END
    FROM (SELECT ${quotaBy('$3')} AS bytes) AS quota
  ON CONFLICT (organization_id) DO UPDATE SET used_bytes = CASE
    WHEN ${quotaBy('$3')} IS NULL OR usage.used_bytes + usage.reserved_bytes + $2::bigint <= ${quotaBy('$3')}
    THEN usage.used_bytes + $2::bigint ELSE -1 END`;

/**
 * Reserves up to `most` bytes where at least `least` are free, and answers how many: all that is left where that is less.
 * Errors: `quota_exceeded`.
 */
export async function reserveUpTo(
  work: Work,
  { least, most }: { least: number; most: number },
  quota: number | null,
): Promise<number> {
  const { connection, organization_id } = work;
  const [taken] = await connection.query<{ bytes: number }>(
    `WITH room AS (
       SELECT least($2::bigint, coalesce($4::bigint - used_bytes - reserved_bytes, $2)) AS bytes
         FROM cloud_usage WHERE organization_id = $1 FOR UPDATE
     )
     UPDATE cloud_usage SET reserved_bytes = reserved_bytes + room.bytes FROM room
      WHERE organization_id = $1 AND room.bytes >= $3::bigint RETURNING room.bytes`,
    [organization_id, most, least, quota],
  );
  if (taken) return taken.bytes;
  throw await quotaExceeded(work, quota!);
}

/** Sees whether there is room for so many bytes by now, and takes none. Errors: `quota_exceeded`. */
export async function requireRoom(reader: Reader, bytes: number, quota: number | null): Promise<void> {
  if (quota === null) return;
  const { used_bytes, reserved_bytes } = await usedBytes(reader);
  if (used_bytes + reserved_bytes + bytes > quota) throw await quotaExceeded(reader, quota);
}

/** Gives bytes back that are kept no longer. */
export function freeRoom(work: Work, bytes: number): void {
  if (bytes === 0) return;
  work.run('UPDATE cloud_usage SET used_bytes = used_bytes - $2 WHERE organization_id = $1', [
    work.organization_id,
    bytes,
  ]);
}

async function quotaExceeded(reader: Reader, quota: number): Promise<Failure> {
  const { used_bytes, reserved_bytes } = await usedBytes(reader);
  const free_bytes = Math.max(0, quota - used_bytes - reserved_bytes);
  return new Failure('quota_exceeded', {
    detail: {
      en: `${free_bytes} bytes are free. Purge files from the trash, delete old versions, or have the quota raised`,
      ja: `空き容量は${free_bytes}バイトです。ゴミ箱を空にするか、古い版を削除するか、上限を引き上げてください`,
    },
    members: { free_bytes },
  });
}
