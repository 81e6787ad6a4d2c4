import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { holdContents } from '../../platform/storage/shared-content.ts';
import { unavailable } from '../items/gone.ts';
import { takeKey } from '../items/keys.ts';
import { columnsOfName, type FileRow, ItemModel } from '../items/model.ts';
import { fileOf, scansOf, shownFile } from '../items/shown.ts';
import { nameInPlace } from '../items/taken.ts';
import { relink } from '../links/operations.ts';
import { countChildren } from '../tree/counters.ts';
import { latest, requireHeldAsLong, requireLater } from '../tree/holds.ts';
import { requireLeave } from '../tree/leave.ts';
import { lockTree } from '../tree/lock.ts';
import { type Place, placeOfBody, requirePermission } from '../tree/place.ts';
import { todayOf } from '../tree/today.ts';
import { takeRoom } from '../usage/quota.ts';
import { lockFile, seenFile } from './queries.ts';
import { type CloudFile, type FilePatch, type FilePlace, fileFacts } from './record.ts';
import { extensionOf, insertFile } from './store.ts';

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `folder_permission`, `already_exists`,
 * `retention_active`, `unknown_reference`.
 */
export async function updateFile(work: Work, id: string, patch: FilePatch): Promise<CloudFile> {
  const { name, description, links, retention_until, on_conflict, external_id, metadata } = patch;
  await lockTree(work, 'shared');
  const { row, place } = await lockFile(work, id, 'editor');
  work.precondition(row);
  const before = await shownFile(work, row);
  if (retention_until !== undefined && retention_until !== row.retention_until) {
    requirePermission(place.permission, 'manager');
    requireLater(row.retention_until, retention_until, await todayOf(work));
  }
  if (external_id !== undefined && external_id !== row.external_id) {
    await takeKey(work, 'file', external_id, id);
  }
  const linked = links && (await relink(work, { row, place }, before.links, links));
  const kept_until = retention_until === undefined ? row.retention_until : retention_until;
  const changed: FileRow = {
    ...row,
    description: description === undefined ? row.description : description,
    retention_until: kept_until,
    held_until: latest([row.held_until, kept_until, linked?.held_until ?? null]),
    external_id: external_id === undefined ? row.external_id : external_id,
    metadata: metadataAfter(row.metadata, metadata),
  };
  if (name !== undefined && name !== row.name) {
    changed.name = await nameInPlace(work, { parent_id: row.parent_id, name, on_conflict, except: id });
    changed.extension = extensionOf(changed.name);
  }
  const after = fileOf(work, changed, place.way, linked?.links ?? before.links, before.scan);
  return writeFile(work, row, before, changed, after);
}

/**
 * Moves a file. Already there, under the same name: nothing is recorded. Errors: `not_found`, `precondition_failed`,
 * `unknown_reference`, `folder_permission`, `retention_active`, `already_exists`.
 */
export async function moveFile(work: Work, id: string, to: FilePlace): Promise<CloudFile> {
  await lockTree(work, 'alone');
  const { row, place } = await lockFile(work, id, 'editor');
  work.precondition(row);
  return moveLocked(work, { row, place }, await placeOfBody(work, to.folder_id, '/folder_id'), to);
}

/** The same for a locked file; the tree is locked alone. */
export async function moveLocked(
  work: Work,
  { row, place }: { row: FileRow; place: Place },
  target: Place,
  { name = row.name, on_conflict }: Omit<FilePlace, 'folder_id'>,
): Promise<CloudFile> {
  const { folder_id } = target;
  const before = await shownFile(work, row);
  if (folder_id !== row.parent_id) {
    requireLeave(work, place.way, target.way);
    requireHeldAsLong(place.way, target.way, await todayOf(work));
  }
  const named = await nameInPlace(work, { parent_id: folder_id, name, on_conflict, except: row.id });
  const changed = { ...row, parent_id: folder_id, name: named, extension: extensionOf(named) };
  return writeFile(work, row, before, changed, fileOf(work, changed, target.way, before.links, before.scan));
}

/**
 * Makes a file of the content that another one has now; no byte is copied, and the quota counts it again. Links and keys stay
 * with the original. Errors: `not_found`, `unknown_reference`, `folder_permission`, `already_exists`, `quota_exceeded`.
 */
export async function copyFile(
  work: Work,
  id: string,
  { folder_id, name, on_conflict }: FilePlace,
  installation_bytes: number,
): Promise<CloudFile> {
  await lockTree(work, 'shared');
  const { row } = await seenFile(work, id);
  const place = await placeOfBody(work, folder_id, '/folder_id');
  const named = await nameInPlace(work, { parent_id: folder_id, name: name ?? row.name, on_conflict });
  const held = await holdContents(work, [row.storage_key]);
  if (!held.has(row.storage_key)) throw unavailable();
  await takeRoom(work, { used: row.size_bytes }, installation_bytes);
  const at = work.now.toISOString();
  const copy: FileRow = {
    ...row,
    id: newId('file', work.now),
    parent_id: folder_id,
    name: named,
    extension: extensionOf(named),
    retention_until: null,
    held_until: null,
    external_id: null,
    metadata: {},
    created_by: work.actor.user_id,
    updated_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
    version_id: newId('fver', work.now),
    version_number: 1,
  };
  insertFile(work, copy);
  const scanOf = await scansOf(work, [row.storage_key]);
  const file = fileOf(work, copy, place.way, [], scanOf(row.storage_key));
  work.record(fileFacts.created, { before: null, after: file });
  return file;
}

/** Keeps what a change made of a locked file, and says so. */
function writeFile(
  work: Work,
  row: FileRow,
  before: CloudFile,
  changed: FileRow,
  after: CloudFile,
): CloudFile {
  if (work.isSame(fileFacts.updated, before, after)) return before;
  const updated_at = work.touch(row);
  const updated_by = work.actor.user_id;
  const { parent_id, name, description, retention_until, held_until, external_id, metadata, extension } =
    changed;
  work.update(ItemModel, row.id, {
    parent_id,
    ...columnsOfName(name),
    description,
    retention_until,
    held_until,
    external_id,
    metadata,
    extension,
    updated_by,
    updated_at,
  });
  if (parent_id !== row.parent_id) {
    countChildren(work, [
      { folder_id: row.parent_id, kind: 'file', by: -1 },
      { folder_id: parent_id, kind: 'file', by: 1 },
    ]);
  }
  const shown = { ...after, updated_by, updated_at };
  work.record(fileFacts.updated, { before, after: shown });
  return shown;
}
