import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';
import { diskStorage } from './disk.ts';
import { s3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

/** The store that the settings name: S3 by STORAGE_URL, else a folder below DATA_DIR. */
export function openStorage({ storageUrl, dataDir }: Pick<Settings, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? s3Storage(storageUrl) : diskStorage(join(dataDir, 'files'));
}
