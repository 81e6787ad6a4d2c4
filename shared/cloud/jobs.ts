import { z } from 'zod';
import { job } from '../kernel/job.ts';

const HOUR = 3_600_000;

/** Who asked: what they may do by now is looked up when the work is done. */
const asking = z.strictObject({
  type: z.enum(['user', 'api_key', 'guest', 'system']),
  id: z.string(),
  user_id: z.string().nullable(),
});

/** Gives up what is in the trash, as far as who asked may. */
export const emptyTrashJob = job({
  name: 'cloud.empty_trash',
  queue: 'storage',
  payload: z.strictObject({
    job_id: z.string(),
    /** What came into the trash later stays. */
    before: z.string(),
    asking,
  }),
  attempts: 5,
  time_limit: HOUR,
});

/** Puts a folder into a zip, as who asked sees it. */
export const archiveFolderJob = job({
  name: 'cloud.archive_folder',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string(), folder_id: z.string().nullable(), asking }),
  attempts: 5,
  time_limit: 12 * HOUR,
});

/** Reads every version again, and compares its hash. */
export const verifyFilesJob = job({
  name: 'cloud.verify_files',
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 3,
  time_limit: 12 * HOUR,
});

/** Reads the bytes of an upload that have all come, once, and makes a file of them. */
export const completeUploadJob = job({
  name: 'cloud.complete_upload',
  queue: 'storage',
  payload: z.strictObject({ upload_id: z.string() }),
  attempts: 20,
  time_limit: HOUR,
});

/** Copies the file of a record into a folder, once it is there. */
export const copyRecordJob = job({
  name: 'cloud.copy_record',
  queue: 'storage',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: HOUR,
});
