import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseUnnamed } from '../../platform/storage/shared-content.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { VersionModel } from '../files/record.ts';
import { type ItemRow, lockItem } from '../items/model.ts';
import { defaultSettings } from '../settings/record.ts';
import { waysOf } from '../tree/ancestors.ts';
import { heldBy, isHeld } from '../tree/holds.ts';
import { lockTree } from '../tree/lock.ts';
import { todayOf } from '../tree/today.ts';
import { freeRoom } from '../usage/quota.ts';
import { markPurged } from './operations.ts';

/** `trashed_at` as text, to the microsecond. */
type Due = { organization_id: string; id: string; is_purged: boolean; trashed_at: string };

/** Items of the trash that one look takes, and rows that one transaction removes. */
const LOOK = 100;
const CHUNK = 1_000;

/**
 * Purges what was given up, and what has been in the trash for the days that its organization keeps it: rows in chunks,
 * their bytes after the commit. What was taken from a folder that is held stays, and so does what was put into the trash by
 * itself below a folder that goes. Answers how many items of the trash went; throws at the end where some could not be purged.
 */
export async function purgeTrash(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const look = (after: Due | undefined) => dueItems(database, now, after);
  try {
    return await eachDue(
      { look, size: LOOK, signal, fault: 'items of the trash could not be purged' },
      (item) => purge(database, item, now, signal),
    );
  } finally {
    await removeEmptied(database, now, signal);
  }
}

/** Whether a folder that an item was taken from is held on the day that has begun anywhere. */
const HELD = `EXISTS (
  WITH RECURSIVE above AS (
    SELECT folder.parent_id, folder.held_until FROM cloud_items AS folder
     WHERE folder.organization_id = item.organization_id AND folder.id = item.parent_id
    UNION ALL
    SELECT folder.parent_id, folder.held_until FROM above
      JOIN cloud_items AS folder ON folder.organization_id = item.organization_id AND folder.id = above.parent_id
  )
  SELECT FROM above WHERE held_until >= $2)`;

/** Milliseconds by which the first time zone is ahead of UTC. */
const FIRST_ZONE = 14 * 60 * 60_000;

/** What was given up comes first, then what has been there the longest. */
function dueItems(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT item.organization_id, item.id, item.is_purged, item.trashed_at::text AS trashed_at FROM cloud_items AS item
         LEFT JOIN cloud_settings AS settings ON settings.organization_id = item.organization_id
        WHERE item.trashed_at IS NOT NULL AND NOT item.is_emptied AND (item.is_purged OR
          item.trashed_at <= $1::timestamptz - make_interval(days => coalesce(settings.trash_days, ${defaultSettings.trash_days}))
          AND NOT ${HELD})
          AND ($3::text IS NULL OR (NOT item.is_purged, item.trashed_at, item.id) > (NOT $4::boolean, $5::timestamptz, $3))
        ORDER BY NOT item.is_purged, item.trashed_at, item.id LIMIT ${LOOK}`,
      [
        now.toISOString(),
        new Date(now.getTime() + FIRST_ZONE).toISOString().slice(0, 10),
        after?.id ?? null,
        after?.is_purged ?? null,
        after?.trashed_at ?? null,
      ],
    ),
  );
}

async function purge(
  database: Database,
  { organization_id, id, is_purged }: Due,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const within = <T>(run: (work: Work) => Promise<T>) => inSweep(database, organization_id, now, run);
  if (!is_purged && !(await within((work) => giveUp(work, id)))) return false;
  const folder_ids = await within((work) => foldersAt(work, id));
  while (!signal.aborted && (await within((work) => removeFiles(work, id, folder_ids)))) {}
  if (signal.aborted) return false;
  for (let at = 0; at < folder_ids.length; at += CHUNK) {
    await within((work) => markEmptied(work, folder_ids.slice(at, at + CHUNK)));
  }
  return true;
}

function inSweep<T>(
  database: Database,
  organization_id: string,
  now: Date,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return database.withConnection(organization_id, (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      run,
      { may_change_nothing: true },
    ),
  );
}

/** Marks an item whose time has come; false where it was restored meanwhile, or is held by a folder. */
async function giveUp(work: Work, id: string): Promise<boolean> {
  await lockTree(work, 'alone');
  const row = await lockItem<ItemRow>(work, id);
  if (!row || row.trashed_at === null) return false;
  if (row.is_purged) return true;
  const way = (await waysOf(work, row.parent_id === null ? [] : [row.parent_id]))(row.parent_id);
  if (isHeld(heldBy(way ?? []), await todayOf(work))) return false;
  await markPurged(work, [row]);
  return true;
}

/** The folder and those that go with it, the deepest first; none for a file. */
async function foldersAt({ connection, organization_id }: Work, id: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH RECURSIVE below AS (
       SELECT id, 1 AS level FROM cloud_items WHERE organization_id = $1 AND id = $2 AND kind = 'folder'
       UNION ALL
       SELECT folder.id, below.level + 1 FROM below JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
        WHERE folder.trashed_at IS NULL
     )
     SELECT id FROM below ORDER BY level DESC, id`,
    [organization_id, id],
  );
  return rows.map((row) => row.id);
}

/** Removes a chunk of the files in the folders, or the file itself; answers whether there may be more. */
async function removeFiles(work: Work, id: string, folder_ids: readonly string[]): Promise<boolean> {
  const { connection, organization_id } = work;
  const files = await connection.query<{ id: string }>(
    `SELECT id FROM cloud_items
      WHERE organization_id = $1 AND kind = 'file' AND (id = $2 OR parent_id = ANY ($3) AND trashed_at IS NULL)
      ORDER BY id LIMIT ${CHUNK} FOR UPDATE`,
    [organization_id, id, folder_ids],
  );
  if (files.length === 0) return false;
  const file_ids = files.map((file) => file.id);
  const versions = await connection.query<{ storage_key: string; size_bytes: number }>(
    'DELETE FROM cloud_versions WHERE organization_id = $1 AND file_id = ANY ($2) RETURNING storage_key, size_bytes',
    [organization_id, file_ids],
  );
  await connection.query('DELETE FROM cloud_items WHERE organization_id = $1 AND id = ANY ($2)', [
    organization_id,
    file_ids,
  ]);
  await releaseUnnamed(work, VersionModel, [...new Set(versions.map(({ storage_key }) => storage_key))]);
  freeRoom(
    work,
    versions.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  );
  return files.length === CHUNK;
}

/** The folder that was purged itself is marked last: until then the next look takes it up again. */
async function markEmptied({ connection, organization_id }: Work, folder_ids: readonly string[]) {
  await connection.query(
    'UPDATE cloud_items SET is_emptied = true WHERE organization_id = $1 AND id = ANY ($2)',
    [organization_id, folder_ids],
  );
}

/** Those of a table `folder` that were emptied and have nothing in them any more. */
const EMPTY = `is_emptied AND NOT EXISTS (
  SELECT FROM cloud_items AS child
   WHERE child.organization_id = folder.organization_id AND child.parent_id = folder.id)`;

/**
 * Removes the purged folders below which nothing is left, from below upwards. The others stay while they lead to what was put
 * into the trash by itself: they say who sees it, and nothing is put into them any more.
 */
async function removeEmptied(database: Database, now: Date, signal: AbortSignal): Promise<void> {
  type Organization = { organization_id: string };
  const look = (after: Organization | undefined) =>
    database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Organization>(
        `SELECT DISTINCT organization_id FROM cloud_items AS folder WHERE organization_id > $1 AND ${EMPTY}
          ORDER BY organization_id LIMIT ${LOOK}`,
        [after?.organization_id ?? ''],
      ),
    );
  const fault = 'organizations keep folders that were emptied';
  await eachDue({ look, size: LOOK, signal, fault }, async ({ organization_id }) => {
    while (!signal.aborted && (await inSweep(database, organization_id, now, removeEmpty))) {}
    return true;
  });
}

/** Removes a chunk of the folders that are empty now; answers whether those above them may be by then. */
async function removeEmpty({ connection, organization_id }: Work): Promise<boolean> {
  const removed = await connection.query(
    `DELETE FROM cloud_items WHERE organization_id = $1 AND id IN (
       SELECT id FROM cloud_items AS folder WHERE organization_id = $1 AND ${EMPTY} ORDER BY id LIMIT ${CHUNK})
     RETURNING id`,
    [organization_id],
  );
  return removed.length > 0;
}
