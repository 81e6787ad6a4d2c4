import { archiveFolderJob, emptyTrashJob, verifyFilesJob } from '../../shared/cloud/jobs.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { archiveFolder } from './archive-folder.ts';
import { emptyTrash } from './empty-trash.ts';
import { verifyFiles } from './verify-files.ts';

/** The jobs of the cloud. */
export function cloudHandlers({ storage, scans }: { storage: Storage; scans: boolean }): Handled[] {
  return [
    handles(emptyTrashJob, emptyTrash()),
    handles(archiveFolderJob, archiveFolder({ storage })),
    handles(verifyFilesJob, verifyFiles({ storage, scans })),
  ];
}
