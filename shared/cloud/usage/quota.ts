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

/**
 * Adds bytes to what is used or reserved if the quota leaves room for them, by one statement, so that uploads at the same
 * time never pass it. Errors: `quota_exceeded`.
 */
export async function takeRoom(
  work: Work,
  { used = 0, reserved = 0 }: { used?: number; reserved?: number },
  quota: number | null,
): Promise<void> {
  const { connection, organization_id } = work;
  const taken = await connection.query(
    `INSERT INTO cloud_usage AS usage (organization_id, used_bytes, reserved_bytes)
     SELECT $1::text, greatest($2::bigint, 0), greatest($3::bigint, 0)
      WHERE $4::bigint IS NULL OR $2::bigint + $3::bigint <= greatest($4, 0)
     ON CONFLICT (organization_id) DO UPDATE
       SET used_bytes = usage.used_bytes + $2::bigint, reserved_bytes = usage.reserved_bytes + $3::bigint
     WHERE $4::bigint IS NULL OR $2::bigint + $3::bigint <= 0
        OR usage.used_bytes + usage.reserved_bytes + $2::bigint + $3::bigint <= $4
     RETURNING 1`,
    [organization_id, used, reserved, quota],
  );
  if (taken.length > 0) return;
  throw await quotaExceeded(work, quota!);
}

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
