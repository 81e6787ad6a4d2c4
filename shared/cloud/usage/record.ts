import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { quotaOf, usedBytes } from './quota.ts';

const bytes = (example: number) => z.int().meta({ examples: [example] });

/** What an organization keeps. */
export const CloudUsage = z
  .strictObject({
    object: z.literal('cloud.usage'),
    quota_bytes: bytes(10_737_418_240).nullable().describe('null: there is no bound.'),
    used_bytes: bytes(48_213).describe('All versions of all files, the trash among them.'),
    reserved_bytes: bytes(0).describe('Of uploads that are running.'),
    trash_bytes: bytes(0).describe('Of `used_bytes`, what is in the trash.'),
    old_version_bytes: bytes(0).describe('Of `used_bytes`, versions that are not the current ones.'),
    file_count: z
      .int()
      .describe('Files outside of the trash.')
      .meta({ examples: [14] }),
  })
  .meta({ id: 'CloudUsage' });

export type CloudUsage = z.output<typeof CloudUsage>;

type Counted = { trash_bytes: number; old_version_bytes: number; file_count: number };

/**
 * Versions are read of what is in the trash alone: all others are the bytes that are used without the current ones, which an
 * index sums up.
 */
const COUNTED = `
  WITH RECURSIVE folder AS (
    SELECT id FROM cloud_items WHERE organization_id = $1 AND kind = 'folder' AND trashed_at IS NOT NULL
    UNION
    SELECT below.id FROM folder JOIN cloud_items AS below
        ON below.organization_id = $1 AND below.parent_id = folder.id AND below.kind = 'folder'
  ), trashed AS MATERIALIZED (
    SELECT id FROM cloud_items WHERE organization_id = $1 AND kind = 'file' AND trashed_at IS NOT NULL
    UNION
    SELECT file.id FROM folder JOIN cloud_items AS file
        ON file.organization_id = $1 AND file.parent_id = folder.id AND file.kind = 'file'
  ), current AS (
    SELECT count(*) AS count, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM cloud_items
     WHERE organization_id = $1 AND kind = 'file'
  )
  SELECT (SELECT coalesce(sum(version.size_bytes), 0)::bigint FROM trashed JOIN cloud_versions AS version
            ON version.organization_id = $1 AND version.file_id = trashed.id) AS trash_bytes,
         coalesce((SELECT used_bytes FROM cloud_usage WHERE organization_id = $1), 0) - current.bytes AS old_version_bytes,
         current.count - (SELECT count(*) FROM trashed) AS file_count
    FROM current`;

/** What the organization keeps now: sums of all, whoever sees them. */
export async function cloudUsage(reader: Reader, installation_bytes: number): Promise<CloudUsage> {
  const { connection, organization_id } = reader;
  const [quota_bytes, used, [counted]] = await Promise.all([
    quotaOf(reader, installation_bytes),
    usedBytes(reader),
    connection.query<Counted>(COUNTED, [organization_id]),
  ]);
  return { object: 'cloud.usage', quota_bytes, ...used, ...counted! };
}
