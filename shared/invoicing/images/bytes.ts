import { buffer } from 'node:stream/consumers';
import type { Files } from '../../platform/storage/loose-files.ts';

/** Bytes and type of an image of the organization. Throws where there is none: images are never removed. */
export async function imageBytes(
  { database, storage }: Files,
  organization_id: string,
  sha256: string,
): Promise<{ bytes: Buffer; media_type: string }> {
  const [found] = await database.withConnection(organization_id, ({ query }) =>
    query<{ storage_key: string; media_type: string }>(
      'SELECT storage_key, media_type FROM invoicing_images WHERE organization_id = $1 AND sha256 = $2',
      [organization_id, sha256],
    ),
  );
  if (!found) throw new Error(`There is no image ${sha256}`);
  return { bytes: await buffer(await storage.read(found.storage_key)), media_type: found.media_type };
}
