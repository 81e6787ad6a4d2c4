import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

/**
 * The store that the settings name: S3 by STORAGE_URL, else a folder below DATA_DIR. Amazon's client is loaded only for
 * the first.
 */
export async function openStorage({
  storageUrl,
  dataDir,
}: Pick<Settings, 'storageUrl' | 'dataDir'>): Promise<Storage> {
  if (!storageUrl) return diskStorage(join(dataDir, 'files'));
  const { s3Storage } = await import('./s3.ts');
  return s3Storage(storageUrl);
}
