import {
  archiveFolderJob,
  completeUploadJob,
  emptyTrashJob,
  verifyFilesJob,
} from '../../shared/cloud/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { archiveFolder } from './archive-folder.ts';
import { type CompleteOptions, completeUpload } from './complete-upload.ts';
import { emptyTrash } from './empty-trash.ts';
import { verifyFiles } from './verify-files.ts';

/** The jobs of the cloud. */
export function cloudHandlers({ storage, settings }: CompleteOptions): Handled[] {
  return [
    handles(emptyTrashJob, emptyTrash()),
    handles(archiveFolderJob, archiveFolder({ storage })),
    handles(verifyFilesJob, verifyFiles({ storage })),
    handles(completeUploadJob, completeUpload({ storage, settings })),
  ];
}
