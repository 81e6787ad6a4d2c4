import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { takeKey } from '../items/keys.ts';
import { columnsOfName, type FolderRow, ItemModel } from '../items/model.ts';
import { folderOf } from '../items/shown.ts';
import { lockedHolder, nameInPlace, nameTakenBy, type Taken } from '../items/taken.ts';
import type { Ancestor } from '../tree/ancestors.ts';
import { countChildren } from '../tree/counters.ts';
import { requireHeldAsLong, requireLater } from '../tree/holds.ts';
import { requireLeave } from '../tree/leave.ts';
import { lockTree } from '../tree/lock.ts';
import { type Place, placeOfBody, requireDepth, requirePermission } from '../tree/place.ts';
import { subtreeOf } from '../tree/subtree.ts';
import { todayOf } from '../tree/today.ts';
import { folderById, lockFolder } from './queries.ts';
import { type Folder, type FolderInput, type FolderPatch, folderFacts } from './record.ts';

/**
 * Makes a folder; `is_new` is false where one of that name was there and `existing` was asked for. Errors:
 * `unknown_reference`, `folder_permission`, `too_deep`, `already_exists`.
 */
export async function createFolder(
  work: Work,
  { name, parent_id = null, description, on_conflict = 'fail', external_id, metadata }: FolderInput,
): Promise<{ folder: Folder; is_new: boolean }> {
  await lockTree(work, 'shared');
  const place = await placeOfBody(work, parent_id, '/parent_id');
  requireDepth(place, 1);
  if (on_conflict === 'existing') {
    const taken = await lockedHolder(work, parent_id, name);
    if (taken?.kind === 'file') throw await nameTakenBy(work, taken);
    if (taken) {
      work.nothingChanged();
      return { folder: await seenFolder(work, taken), is_new: false };
    }
  }
  const named = on_conflict === 'existing' ? name : await nameInPlace(work, { parent_id, name, on_conflict });
  await takeKey(work, 'folder', external_id);
  const at = work.now.toISOString();
  const row: FolderRow = {
    id: newId('fold', work.now),
    kind: 'folder',
    parent_id,
    name: named,
    description: description ?? null,
    retention_until: null,
    held_until: null,
    external_id: external_id ?? null,
    metadata: metadataAfter({}, metadata),
    created_by: work.actor.user_id,
    updated_by: work.actor.user_id,
    trashed_at: null,
    trashed_by: null,
    is_purged: false,
    created_at: at,
    updated_at: at,
    is_restricted: false,
    restricted_by: null,
    folder_count: 0,
    file_count: 0,
  };
  work.insert(ItemModel, { ...row, ...columnsOfName(named) });
  countChildren(work, [{ folder_id: parent_id, kind: 'folder', by: 1 }]);
  const folder = folderOf(work, row, [ancestorOf(row), ...place.way], 0);
  work.record(folderFacts.created, { before: null, after: folder });
  return { folder, is_new: true };
}

/** A folder that has a name is answered where the caller sees it and may read; else the name is taken. */
async function seenFolder(work: Work, taken: Taken): Promise<Folder> {
  if (!allows(work.actor.grants, 'cloud:read')) throw await nameTakenBy(work, taken);
  return folderById(work, taken.id).catch(async (error) => {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    throw await nameTakenBy(work, taken);
  });
}

/**
 * Changes the fields sent; another `parent_id` moves it, with all below it, by its one row. Errors: `not_found`,
 * `precondition_failed`, `folder_permission`, `unknown_reference`, `folder_cycle`, `too_deep`, `retention_active`,
 * `already_exists`.
 */
export async function updateFolder(work: Work, id: string, patch: FolderPatch): Promise<Folder> {
  const { name, parent_id, description, retention_until, on_conflict, external_id, metadata } = patch;
  await lockTree(work, parent_id !== undefined || retention_until !== undefined ? 'alone' : 'shared');
  const { row, place, shown } = await lockFolder(work, id, 'editor');
  work.precondition(row);
  const isMoved = parent_id !== undefined && parent_id !== row.parent_id;
  const target = isMoved ? await movedTo(work, { row, place }, parent_id) : null;
  if (retention_until !== undefined && retention_until !== row.retention_until) {
    requirePermission(place.permission, 'manager');
    requireLater(row.retention_until, retention_until, await todayOf(work));
  }
  if (external_id !== undefined && external_id !== row.external_id) {
    await takeKey(work, 'folder', external_id, id);
  }
  const at = isMoved ? parent_id : row.parent_id;
  const wanted = name ?? row.name;
  const isPlaced = isMoved || wanted !== row.name;
  const changed: FolderRow = {
    ...row,
    name: isPlaced
      ? await nameInPlace(work, { parent_id: at, name: wanted, on_conflict, except: id })
      : row.name,
    parent_id: at,
    description: description === undefined ? row.description : description,
    retention_until: retention_until === undefined ? row.retention_until : retention_until,
    external_id: external_id === undefined ? row.external_id : external_id,
    metadata: metadataAfter(row.metadata, metadata),
  };
  changed.held_until = changed.retention_until;
  const above = target ? target.way : place.way.slice(1);
  return writeFolder(work, { row, shown }, changed, [ancestorOf(changed, place.way[0]), ...above]);
}

/** Keeps what a change made of a locked folder, and says so. */
export function writeFolder(
  work: Work,
  before: { row: FolderRow; shown: Folder },
  changed: FolderRow,
  way: readonly Ancestor[],
): Folder {
  const unseen = before.row.folder_count - before.shown.folder_count;
  const after = folderOf(work, changed, way, unseen);
  if (work.isSame(folderFacts.updated, before.shown, after)) return before.shown;
  const updated_at = work.touch(before.row);
  const { parent_id, name, description, retention_until, held_until, external_id, metadata } = changed;
  const { is_restricted, restricted_by } = changed;
  work.update(ItemModel, changed.id, {
    parent_id,
    ...columnsOfName(name),
    description,
    retention_until,
    held_until,
    external_id,
    metadata,
    is_restricted,
    restricted_by,
    updated_by: work.actor.user_id,
    updated_at,
  });
  if (parent_id !== before.row.parent_id) {
    countChildren(work, [
      { folder_id: before.row.parent_id, kind: 'folder', by: -1 },
      { folder_id: parent_id, kind: 'folder', by: 1 },
    ]);
  }
  work.record(folderFacts.updated, { before: before.shown, after });
  return { ...after, updated_at };
}

/**
 * Where a folder may go, the tree being locked alone. Errors: `unknown_reference`, `folder_permission`, `folder_cycle`,
 * `too_deep`, `retention_active`.
 */
async function movedTo(
  work: Work,
  { row, place }: { row: FolderRow; place: Place },
  parent_id: string | null,
): Promise<Place> {
  const target = await placeOfBody(work, parent_id, '/parent_id');
  if (target.way.some(({ id }) => id === row.id)) throw new Failure('folder_cycle');
  const today = await todayOf(work);
  const from = place.way.slice(1);
  requireLeave(work, from, target.way);
  const subtree = await subtreeOf(work, row.id, today);
  requireDepth(target, subtree.height);
  requireHeldAsLong(from, target.way, today);
  return target;
}

/** A folder as what is below it sees it; a new one has no grants. */
export function ancestorOf(row: FolderRow, before?: Ancestor): Ancestor {
  const { id, name, parent_id, is_restricted, restricted_by, held_until, trashed_at } = row;
  const is_trashed = trashed_at !== null;
  return {
    id,
    name,
    parent_id,
    is_restricted,
    restricted_by,
    held_until,
    is_trashed,
    grants: before?.grants ?? [],
    department_ids: before?.department_ids ?? [],
  };
}
