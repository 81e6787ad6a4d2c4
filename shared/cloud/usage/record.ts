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

/** What the organization keeps now: sums of all, whoever sees them. */
export async function cloudUsage(reader: Reader, installation_bytes: number): Promise<CloudUsage> {
  const { connection, organization_id } = reader;
  const [quota_bytes, used, [counted]] = await Promise.all([
    quotaOf(reader, installation_bytes),
    usedBytes(reader),
    connection.query<Counted>(
      `WITH RECURSIVE trashed AS (
         SELECT id FROM cloud_items WHERE organization_id = $1 AND kind = 'folder' AND trashed_at IS NOT NULL
         UNION
         SELECT folder.id FROM trashed JOIN cloud_items AS folder
             ON folder.organization_id = $1 AND folder.parent_id = trashed.id AND folder.kind = 'folder'
       ), hidden AS MATERIALIZED (SELECT coalesce(array_agg(id), '{}') AS ids FROM trashed)
       , files AS (
         SELECT version.size_bytes, version.id = file.version_id AS is_current,
                file.trashed_at IS NOT NULL OR coalesce(file.parent_id, '') = ANY (hidden.ids) AS is_trashed
           FROM hidden, cloud_items AS file
           JOIN cloud_versions AS version ON version.organization_id = $1 AND version.file_id = file.id
          WHERE file.organization_id = $1 AND file.kind = 'file'
       )
       SELECT coalesce(sum(size_bytes) FILTER (WHERE is_trashed), 0)::bigint AS trash_bytes,
              coalesce(sum(size_bytes) FILTER (WHERE NOT is_current), 0)::bigint AS old_version_bytes,
              count(*) FILTER (WHERE is_current AND NOT is_trashed) AS file_count FROM files`,
      [organization_id],
    ),
  ]);
  return { object: 'cloud.usage', quota_bytes, ...used, ...counted! };
}
