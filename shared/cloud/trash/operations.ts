import { Failure, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { lockFile } from '../files/queries.ts';
import type { CloudFile } from '../files/record.ts';
import { lockFolder } from '../folders/queries.ts';
import type { Folder } from '../folders/record.ts';
import { takeKey, takeKeysBelow } from '../items/keys.ts';
import { columnsOfName, ItemModel, type ItemRow, itemColumns, lockItem } from '../items/model.ts';
import { shownItems } from '../items/shown.ts';
import { nameInPlace } from '../items/taken.ts';
import { emptyTrashJob } from '../jobs.ts';
import { isEnough, managesAll, permissionOf } from '../permissions.ts';
import { restrictionOn, waysOf } from '../tree/ancestors.ts';
import { askingOf } from '../tree/asking.ts';
import { countChildren } from '../tree/counters.ts';
import { heldBy, isHeld, latest, requireFree, requireHeldAsLong } from '../tree/holds.ts';
import { requireLeave } from '../tree/leave.ts';
import { lockTree } from '../tree/lock.ts';
import { placeOfBody, requireDepth, requirePermission, seenPlace } from '../tree/place.ts';
import { subtreeOf } from '../tree/subtree.ts';
import { todayOf } from '../tree/today.ts';
import { purgeFacts, type RestoreInput, trashFacts } from './record.ts';

/**
 * Puts a folder into the trash by its one row; all below it is seen no longer. Errors: `not_found`, `precondition_failed`,
 * `folder_permission`, `retention_active`.
 */
export async function trashFolder(work: Work, id: string): Promise<void> {
  await lockTree(work, 'alone');
  const { row, place } = await lockFolder(work, id, 'editor');
  work.precondition(row);
  const today = await todayOf(work);
  const { restricted_ids, held_until } = await subtreeOf(work, id, today);
  requireFree(latest([held_until, heldBy(place.way)]), today);
  await requireManager(work, restricted_ids);
  await toTrash(work, row);
}

/** Puts a file into the trash. Errors: `not_found`, `precondition_failed`, `folder_permission`, `retention_active`. */
export async function trashFile(work: Work, id: string): Promise<void> {
  await lockTree(work, 'shared');
  const { row, place } = await lockFile(work, id, 'editor');
  work.precondition(row);
  requireFree(latest([row.held_until, heldBy(place.way)]), await todayOf(work));
  await toTrash(work, row);
}

async function toTrash(work: Work, row: ItemRow): Promise<void> {
  const [shown] = await shownItems(work, [row]);
  const trashed_at = work.now.toISOString();
  work.update(ItemModel, row.id, {
    trashed_at,
    trashed_by: work.actor.user_id,
    updated_at: work.touch(row),
  });
  countChildren(work, [{ folder_id: row.parent_id, kind: row.kind, by: -1 }]);
  recordTrip(work, row.kind, shown!, [null, trashed_at]);
}

/** Errors: `folder_permission` where the caller does not manage one of the restricted folders. */
async function requireManager(work: Work, restricted_ids: readonly string[]): Promise<void> {
  if (restricted_ids.length === 0) return;
  const wayOf = await waysOf(work, restricted_ids);
  const asking = askingOf(work);
  for (const id of restricted_ids) {
    const permission = permissionOf(asking, restrictionOn(wayOf(id)!));
    if (permission === null || !isEnough(permission, 'manager')) {
      throw new Failure('folder_permission', {
        detail: {
          en: 'A restricted folder below it is not managed by you',
          ja: '配下に、あなたが管理者ではない制限付きフォルダーがあります',
        },
      });
    }
  }
}

function recordTrip(
  work: Work,
  kind: ItemRow['kind'],
  shown: Folder | CloudFile,
  [was, is]: [string | null, string | null],
): void {
  const before = { ...shown, trashed_at: was };
  const after = { ...shown, trashed_at: is };
  work.record(trashFacts[kind], { before, after });
}

/**
 * An item of the trash, locked; the tree is locked before. It outlives a purged folder above it. Errors: `not_found`, also for
 * what the caller does not see.
 */
async function lockTrashed(work: Work, id: string) {
  const row = await lockItem<ItemRow>(work, id);
  if (!row || row.trashed_at === null || row.is_purged) throw notFound();
  const at = row.kind === 'folder' ? row.id : row.parent_id;
  const way = (await waysOf(work, at === null ? [] : [at]))(at)!;
  const permission = permissionOf(askingOf(work), restrictionOn(way));
  if (permission === null) throw notFound();
  return { row, permission, above: row.kind === 'folder' ? way.slice(1) : way };
}

/**
 * Brings an item of the trash back by its one row: to where it was, or to the root where that is gone. A folder that it was
 * taken from and that is held by now holds it too: it goes nowhere where it would be held less. Errors: `not_found`,
 * `unknown_reference`, `folder_permission`, `too_deep`, `retention_active`, `already_exists`.
 */
export async function restoreItem(
  work: Work,
  id: string,
  { folder_id, on_conflict }: RestoreInput,
): Promise<Folder | CloudFile> {
  await lockTree(work, 'alone');
  const { row, permission, above } = await lockTrashed(work, id);
  requirePermission(permission, 'editor');
  const old = folder_id === undefined ? await seenPlace(work, row.parent_id) : null;
  const target = old ?? (await placeOfBody(work, folder_id ?? null, '/folder_id'));
  const today = await todayOf(work);
  if (target.folder_id === row.parent_id) requirePermission(target.permission, 'editor');
  else {
    requireLeave(work, above, target.way);
    requireHeldAsLong(above, target.way, today);
  }
  if (row.kind === 'folder') requireDepth(target, (await subtreeOf(work, id, today)).height);
  await takeKey(work, row.kind, row.external_id, id);
  if (row.kind === 'folder') await takeKeysBelow(work, id);
  const { folder_id: parent_id } = target;
  const name = await nameInPlace(work, { parent_id, name: row.name, on_conflict, except: id });
  const updated_at = work.touch(row);
  const placed = { trashed_at: null, trashed_by: null, has_lost_key: false, parent_id, updated_at };
  work.update(ItemModel, id, { ...placed, ...columnsOfName(name) });
  await work.flush();
  const [shown] = await shownItems(work, [{ ...row, ...placed, name }]);
  countChildren(work, [{ folder_id: parent_id, kind: row.kind, by: 1 }]);
  recordTrip(work, row.kind, shown!, [row.trashed_at, null]);
  return shown!;
}

/**
 * Gives an item of the trash up for good; its rows and bytes go soon after. Errors: `not_found`, `folder_permission`,
 * `retention_active` where a folder that it was taken from is held by now.
 */
export async function purgeItem(work: Work, id: string): Promise<void> {
  await lockTree(work, 'alone');
  const { row, permission, above } = await lockTrashed(work, id);
  requirePermission(permission, 'manager');
  requireFree(heldBy(above), await todayOf(work));
  if (row.kind === 'folder') await requireManager(work, [...(await unmanagedBelow(work, [id])).values()]);
  await markPurged(work, [row]);
}

/**
 * By folder of the trash, a restricted folder that would go with it and that the caller does not manage.
 */
async function unmanagedBelow(work: Work, folder_ids: readonly string[]): Promise<Map<string, string>> {
  const asking = askingOf(work);
  if (folder_ids.length === 0 || managesAll(asking)) return new Map();
  const restricted = await work.connection.query<{ top_id: string; id: string }>(
    `WITH RECURSIVE below AS (
       SELECT id AS top_id, id, is_restricted FROM cloud_items WHERE organization_id = $1 AND id = ANY ($2)
       UNION ALL
       SELECT below.top_id, folder.id, folder.is_restricted FROM below JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
        WHERE folder.trashed_at IS NULL
     )
     SELECT top_id, id FROM below WHERE is_restricted`,
    [work.organization_id, folder_ids],
  );
  const wayOf = await waysOf(
    work,
    restricted.map(({ id }) => id),
  );
  const unmanaged = restricted.filter(
    ({ id }) => permissionOf(asking, restrictionOn(wayOf(id)!)) !== 'manager',
  );
  return new Map(unmanaged.map(({ top_id, id }) => [top_id, id]));
}

/** From now on the items are in no trash, and a sweep removes them. */
export async function markPurged(work: Work, rows: readonly ItemRow[]): Promise<void> {
  const shown = await shownItems(work, rows);
  work.updateAll(
    ItemModel,
    rows.map((row) => ({ id: row.id, is_purged: true, updated_at: work.touch(row) })),
  );
  for (const [index, { kind }] of rows.entries()) {
    work.record(purgeFacts[kind], { before: shown[index]!, after: null });
  }
}

/** Has a worker give up all that is in the trash by now, as far as the caller may. */
export function emptyTrash(work: Work): JobResource {
  const job = createJob(work, { kind: 'cloud.trash.empty', scope: '*', unit: 'items' });
  const { type, id, user_id } = work.actor;
  const payload = { job_id: job.id, before: work.now.toISOString(), asking: { type, id, user_id } };
  work.enqueue(emptyTrashJob, payload, { job_id: job.id });
  return job;
}

/**
 * Gives up the next items of the trash behind `after`, those that the actor of the work manages and no folder holds; answers
 * how many, and the last that was looked at, null at the end.
 */
export async function giveUpNext(
  work: Work,
  { before, after }: { before: string; after: string },
): Promise<{ count: number; last: string | null }> {
  await lockTree(work, 'alone');
  const rows = await work.connection.query<ItemRow>(
    `SELECT ${itemColumns.join(', ')} FROM cloud_items
      WHERE organization_id = $1 AND trashed_at <= $2 AND NOT is_purged AND id > $3 ORDER BY id LIMIT ${ITEMS} FOR NO KEY UPDATE`,
    [work.organization_id, before, after],
  );
  const wayOf = await waysOf(
    work,
    rows.flatMap(({ kind, id, parent_id }) => (kind === 'folder' ? id : (parent_id ?? []))),
  );
  const asking = askingOf(work);
  const today = await todayOf(work);
  const unmanaged = await unmanagedBelow(
    work,
    rows.flatMap(({ kind, id }) => (kind === 'folder' ? id : [])),
  );
  const managed = rows.filter(({ kind, id, parent_id }) => {
    if (unmanaged.has(id)) return false;
    const way = wayOf(kind === 'folder' ? id : parent_id)!;
    const permission = permissionOf(asking, restrictionOn(way));
    return permission !== null && isEnough(permission, 'manager') && !isHeld(heldBy(way), today);
  });
  await markPurged(work, managed);
  return { count: managed.length, last: rows.length < ITEMS ? null : rows.at(-1)!.id };
}

/** Items that are given up together. */
const ITEMS = 200;
