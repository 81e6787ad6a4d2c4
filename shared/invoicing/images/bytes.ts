import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Files } from '../../platform/storage/loose-files.ts';

/** Bytes and type of an image of the organization. Throws where there is none, or
 * one that was changed in the store: images are never removed. */
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
  const bytes = await buffer(await storage.read(found.storage_key));
  if (hash('sha256', bytes) !== sha256) throw new Error(`The stored bytes of the image ${sha256} are others`);
  return { bytes, media_type: found.media_type };
}
