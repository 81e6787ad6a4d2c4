import { Failure, notFound } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Work } from '../../kernel/work.ts';
import { describeKeptFile } from '../../platform/intake/kept-files.ts';
import type { ScanState } from '../../platform/intake/scanner.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import { storeFromForm } from '../files/from-form.ts';
import type { CloudFile } from '../files/record.ts';
import { putContent, requireAnnounced } from '../files/store.ts';
import { completeUploadJob } from '../jobs.ts';
import { giveBack } from '../usage/reservations.ts';
import { isOwn, lockUpload, requireLiving } from './queries.ts';
import { UploadModel, type UploadPlace, type UploadRow, uploadFacts, uploadOf } from './record.ts';
import { NOBODY, tellOf } from './turns.ts';

/** What the bytes of an upload were found to be. */
export type Found = { sha256: string; content_type: string; scan: ScanState };

type Target = Pick<UploadRow, 'file_name' | 'folder_id' | 'file_id'>;

/** Changes a locked upload, with its fact. */
export function changeUpload(work: Work, row: UploadRow, changes: Partial<UploadRow>): UploadRow {
  const after = { ...row, ...changes, updated_at: work.touch(row) };
  work.update(UploadModel, row.id, { ...changes, updated_at: after.updated_at });
  work.record(uploadFacts.updated, { before: uploadOf(row), after: uploadOf(after) });
  tellOf(work, row.id);
  return after;
}

const FREE = { writer: null, writer_process: null } as const;

/** All bytes have come, and nobody has their hash: a worker reads them. */
export function completeLater(work: Work, row: UploadRow): UploadRow {
  work.enqueue(completeUploadJob, { upload_id: row.id });
  return changeUpload(work, row, { ...FREE, status: 'completing', received_bytes: row.size_bytes });
}

/**
 * No worker could read a locked upload: it goes on as one whose process died. So the next request asks the store what it has,
 * and has it completed again where that is all; without one it expires.
 */
export function completeNoLonger(work: Work, row: UploadRow): void {
  if (row.status !== 'completing') return;
  changeUpload(work, row, { status: 'receiving', writer: work.request_id!, writer_process: NOBODY });
}

/** A worker is to read a locked upload again which nobody has asked for since it was given up. */
export function completeAgain(work: Work, row: UploadRow): void {
  const { status, writer_process, received_bytes, size_bytes } = row;
  if (status !== 'receiving' || writer_process !== NOBODY || received_bytes < size_bytes) return;
  changeUpload(work, row, { ...FREE, status: 'completing' });
}

/**
 * Makes the bytes of a locked upload a file, or a version of one, in the name of who acts. Errors: `checksum_mismatch`,
 * `unknown_reference`, `folder_permission`, `already_exists` for a name that a folder has.
 */
export async function storeUpload(
  work: Work,
  row: UploadRow,
  found: Found,
  installation_bytes: number,
  elsewhere: Partial<Target> = {},
): Promise<{ file: CloudFile; row: UploadRow }> {
  const { file_name: name, folder_id, file_id, on_conflict } = { ...row, ...elsewhere };
  const file = arrivedFile(row, found);
  requireAnnounced(row.announced_sha256, file);
  describeKeptFile(work, file);
  const arrived = { file, reservation: { id: row.id }, installation_bytes };
  const stored = await (file_id === null
    ? storeFromForm(work, { name, folder_id, on_conflict }, arrived)
    : putContent(work, file_id, () => true, arrived).catch(unknownFile));
  const completed = changeUpload(work, row, {
    ...elsewhere,
    ...FREE,
    status: 'completed',
    error: null,
    storage_key: null,
    received_bytes: row.size_bytes,
    ...found,
    result_file_id: stored.file.id,
  });
  return { file: stored.file, row: completed };
}

function arrivedFile(
  { storage_key, file_name, declared_type, size_bytes }: UploadRow,
  found: Found,
): UploadedFile & { storage_key: string } {
  return {
    storage_key: storage_key!,
    file_name,
    media_type: declared_type ?? '',
    ...found,
    size: size_bytes,
    finding: null,
    head: Buffer.alloc(0),
  };
}

/** The target of an upload is its own matter, not that of the path. */
function unknownFile(error: unknown): never {
  throw error instanceof Failure && error.code === 'not_found' ? new Failure('unknown_reference') : error;
}

/**
 * Says why a locked upload did not become a file. Its bytes stay for `completeElsewhere` until it expires, unless they are
 * other ones than were announced: those go, and give their room back.
 */
export async function failUpload(
  work: Work,
  row: UploadRow,
  error: FailureCode,
  found: Found,
): Promise<void> {
  const isUseless = error === 'checksum_mismatch';
  changeUpload(work, row, {
    ...FREE,
    status: 'failed',
    error,
    ...found,
    received_bytes: row.size_bytes,
    ...(isUseless && { storage_key: null }),
  });
  if (!isUseless) return;
  releaseFile(work, row.storage_key!);
  await giveBack(work, row.id);
}

/**
 * Saves the bytes of a failed upload in another place. Errors: `not_found`, `expired`, `invalid_transition`,
 * `unknown_reference`, `folder_permission`, `already_exists`.
 */
export async function completeElsewhere(
  work: Work,
  id: string,
  { folder_id = null, name }: UploadPlace,
  installation_bytes: number,
): Promise<CloudFile> {
  const row = await lockUpload(work, id);
  if (!isOwn(work, row)) throw notFound();
  work.precondition(row);
  requireLiving(row, work.now);
  const { status, storage_key, sha256, content_type, scan } = row;
  if (status !== 'failed' || storage_key === null) throw notFailed(row);
  const found = { sha256: sha256!, content_type: content_type!, scan: scan! };
  const elsewhere = { file_id: null, folder_id, file_name: name ?? row.file_name };
  return (await storeUpload(work, row, found, installation_bytes, elsewhere)).file;
}

function notFailed({ status, error }: UploadRow): Failure {
  return new Failure('invalid_transition', {
    detail: {
      en: `Its status is ${status}${error ? ` (${error})` : ''}; only failed uploads that still have their bytes are completed so`,
      ja: `状態は ${status}${error ? `（${error}）` : ''} です。内容が残っている失敗したアップロードだけを完了できます`,
    },
    members: { current_status: status },
  });
}

/**
 * Ends an upload for good: its bytes go, and give their room back. Errors: `not_found`; `expired` where there is nothing to
 * end any more.
 */
export async function abortUpload(work: Work, row: UploadRow): Promise<void> {
  if (row.storage_key === null) throw new Failure('expired');
  changeUpload(work, row, { ...FREE, status: 'aborted', storage_key: null });
  releaseFile(work, row.storage_key);
  await giveBack(work, row.id);
}
