import type { Work } from '../../kernel/work.ts';
import type { FileRow } from '../items/model.ts';
import { lockTree } from '../tree/lock.ts';
import { placeOfBody } from '../tree/place.ts';
import { updateFile } from './operations.ts';
import { lockFile } from './queries.ts';
import type { FileInput } from './record.ts';
import {
  type Arrived,
  createFile,
  nameOf,
  requireAnnounced,
  type Stored,
  storeVersion,
  takenFile,
} from './store.ts';

/**
 * Keeps a file that came in a form. Errors: `unknown_reference`, `folder_permission`, `already_exists`,
 * `checksum_mismatch`, `quota_exceeded`, `validation_failed` for a name that is none.
 */
export async function storeFromForm(work: Work, input: FileInput, arrived: Arrived): Promise<Stored> {
  const { folder_id = null, on_conflict = 'fail', sha256 = null } = input;
  requireAnnounced(sha256, arrived.file);
  const name = input.name ?? nameOf(arrived.file);
  await lockTree(work, 'shared');
  const place = await placeOfBody(work, folder_id, '/folder_id');
  const taken = on_conflict === 'version' ? await takenFile(work, folder_id, name) : null;
  if (taken) return storeVersion(work, await withFields(work, taken, input), arrived);
  const rule = on_conflict === 'version' ? 'fail' : on_conflict;
  return createFile(work, { ...input, name, place, on_conflict: rule }, arrived);
}

/** What a form says of a file that is there changes that, as PATCH does. Errors: `already_exists`. */
async function withFields(
  work: Work,
  row: FileRow,
  { description, external_id, metadata }: FileInput,
): Promise<FileRow> {
  const isSaid = [description, external_id, metadata].some((value) => value !== undefined);
  if (!isSaid) return row;
  await updateFile(work, row.id, { description, external_id, metadata });
  await work.flushFacts();
  return (await lockFile(work, row.id, 'editor')).row;
}
