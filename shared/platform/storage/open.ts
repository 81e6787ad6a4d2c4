import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError, systemReason } from '../../kernel/startup-error.ts';
import type { Settings } from '../settings/settings.ts';
import { diskStorage } from './disk.ts';
import { isAbsent } from './disk-trouble.ts';
import type { Storage } from './storage.ts';

/**
 * The store that the settings name: S3 by STORAGE_URL, else a folder below DATA_DIR. Amazon's client is loaded only for
 * the first.
 */
export async function openStorage({
  storageUrl,
  dataDir,
}: Pick<Settings, 'storageUrl' | 'dataDir'>): Promise<Storage> {
  if (!storageUrl) return diskStorage(folderOf(dataDir));
  const { s3Storage } = await import('./s3.ts');
  return s3Storage(storageUrl);
}

/** Refuses to look for files where the service has never kept any: all of them would seem to be missing. */
export async function requireFolder({
  storageUrl,
  dataDir,
}: Pick<Settings, 'storageUrl' | 'dataDir'>): Promise<void> {
  if (storageUrl) return;
  const folder = folderOf(dataDir);
  await stat(folder).catch((error) => {
    throw new StartupError(
      isAbsent(error)
        ? `The folder of the files ${folder} does not exist: DATA_DIR is probably not that of the service.`
        : `The folder of the files ${folder} cannot be entered: ${systemReason(error)}.`,
    );
  });
}

const folderOf = (dataDir: string) => join(dataDir, 'files');
