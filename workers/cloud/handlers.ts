import { archiveFolderJob, copyRecordJob, emptyTrashJob, verifyFilesJob } from '../../shared/cloud/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { archiveFolder } from './archive-folder.ts';
import { type CopyOptions, copyRecord } from './copy-record.ts';
import { emptyTrash } from './empty-trash.ts';
import { verifyFiles } from './verify-files.ts';

/** The jobs of the cloud. */
export function cloudHandlers(options: CopyOptions): Handled[] {
  const { storage, scanner } = options;
  return [
    handles(emptyTrashJob, emptyTrash()),
    handles(archiveFolderJob, archiveFolder({ storage })),
    handles(verifyFilesJob, verifyFiles({ storage, scans: scanner !== null })),
    handles(copyRecordJob, copyRecord(options)),
  ];
}
