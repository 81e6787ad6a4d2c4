import {
  archiveFolderJob,
  completeUploadJob,
  copyRecordJob,
  emptyTrashJob,
  verifyFilesJob,
} from '../../shared/cloud/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { archiveFolder } from './archive-folder.ts';
import { type CompleteOptions, completeHooks, completeUpload } from './complete-upload.ts';
import { type CopyOptions, copyHooks, copyRecord } from './copy-record.ts';
import { emptyTrash } from './empty-trash.ts';
import { verifyFiles } from './verify-files.ts';

/** The jobs of the cloud. */
export function cloudHandlers(options: CopyOptions & CompleteOptions): Handled[] {
  const { storage, scanner } = options;
  return [
    handles(emptyTrashJob, emptyTrash()),
    handles(archiveFolderJob, archiveFolder({ storage })),
    handles(verifyFilesJob, verifyFiles({ storage, scans: scanner !== null })),
    handles(copyRecordJob, copyRecord(options), copyHooks),
    handles(completeUploadJob, completeUpload(options), completeHooks),
  ];
}
