import type { Work } from '../../kernel/work.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';

export type ImageSize = { sha256: string; width: number; height: number };

/**
 * Keeps an image under the hash of its bytes, for good: documents that were issued name it. The file of one that is
 * there already is given up again.
 */
export async function keepImage(work: Work, file: UploadedFile): Promise<ImageSize> {
  const { storage_key, media_type, sha256, size, image } = file;
  if (!storage_key || !image) throw new Error('An image has to be stored with its size in pixels');
  const added = await work.connection.query(
    `INSERT INTO invoicing_images
       (organization_id, sha256, storage_key, media_type, width, height, size, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING 1`,
    [
      work.organization_id,
      sha256,
      storage_key,
      media_type,
      image.width,
      image.height,
      size,
      work.now.toISOString(),
    ],
  );
  if (added.length === 0) releaseFile(work, storage_key);
  return { sha256, ...image };
}
