import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { politePace } from '../../platform/imports/run/pace.ts';
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

/** `at` is when it came into the trash, or was given up: as text, to the microsecond. */
type Due = { organization_id: string; id: string; at: string };

/**
 * Items of the trash that one look takes, rows that one transaction removes at most (fewer while requests are served, and it
 * rests between), and folders whose files it looks for.
 */
const LOOK = 100;
const CHUNK = 1_000;
const FOLDERS = 100;

/**
 * Gives up what has been in the trash for the days that its organization keeps it, and purges what was given up: rows in
 * chunks, their bytes after the commit. What was taken from a folder that is held stays, and so does what was put into the
 * trash by itself below a folder that goes. Answers how many items of the trash went; throws at the end where some could not.
 */
export async function purgeTrash(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  let purged = 0;
  try {
    const look = (after: Due | undefined) => dueItems(database, now, after);
    const fault = 'items of the trash could not be given up';
    await eachDue({ look, size: LOOK, signal, fault }, ({ organization_id, id }) =>
      inSweep(database, organization_id, now, (work) => giveUp(work, id)),
    );
  } finally {
    try {
      const look = (after: Due | undefined) => givenUpItems(database, after);
      const fault = 'items of the trash could not be purged';
      purged = await eachDue({ look, size: LOOK, signal, fault }, (item) =>
        purge(database, item, now, signal),
      );
    } finally {
      await removeEmptied(database, now, signal);
    }
  }
  return purged;
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

/**
 * What has been in the trash for its days, what has been there the longest first. Each organization has days of its own, so
 * its trash is looked at by itself.
 */
function dueItems(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `WITH RECURSIVE organization AS (
         (SELECT organization_id AS id FROM cloud_items WHERE trashed_at IS NOT NULL ORDER BY organization_id LIMIT 1)
         UNION ALL
         SELECT (SELECT organization_id FROM cloud_items
                  WHERE trashed_at IS NOT NULL AND organization_id > organization.id ORDER BY organization_id LIMIT 1)
           FROM organization WHERE organization.id IS NOT NULL
       )
       SELECT organization.id AS organization_id, due.id, due.trashed_at::text AS at FROM organization
         LEFT JOIN cloud_settings AS settings ON settings.organization_id = organization.id
        CROSS JOIN LATERAL (
          SELECT item.id, item.trashed_at FROM cloud_items AS item
           WHERE item.organization_id = organization.id AND NOT item.is_purged AND NOT ${HELD}
             AND item.trashed_at <= $1::timestamptz - make_interval(days => coalesce(settings.trash_days, ${defaultSettings.trash_days}))
             AND ($3::text IS NULL OR (item.trashed_at, item.id) > ($4::timestamptz, $3))
           ORDER BY item.trashed_at, item.id LIMIT ${LOOK}) AS due
        ORDER BY due.trashed_at, due.id LIMIT ${LOOK}`,
      [
        now.toISOString(),
        new Date(now.getTime() + FIRST_ZONE).toISOString().slice(0, 10),
        after?.id ?? null,
        after?.at ?? null,
      ],
    ),
  );
}

/** What was given up, the earliest first. */
function givenUpItems(database: Database, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, id, updated_at::text AS at FROM cloud_items
        WHERE is_purged AND NOT is_emptied AND (updated_at, id) > ($1::timestamptz, $2)
        ORDER BY cloud_items.updated_at, id LIMIT ${LOOK}`,
      [after?.at ?? '-infinity', after?.id ?? ''],
    ),
  );
}

async function purge(
  database: Database,
  { organization_id, id }: Due,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const within = <T>(run: (work: Work) => Promise<T>) => inSweep(database, organization_id, now, run);
  const folder_ids = await within((work) => foldersAt(work, id));
  if (folder_ids.length === 0) return within((work) => removeFile(work, id));
  const pace = politePace(database, CHUNK);
  for (let at = 0; at < folder_ids.length; at += FOLDERS) {
    const some = folder_ids.slice(at, at + FOLDERS);
    for (let count = 1; count > 0 && !signal.aborted; ) {
      const began = performance.now();
      count = await within((work) => removeFilesIn(work, some, pace.size()));
      const milliseconds = performance.now() - began;
      if (count > 0) await pace.rest({ milliseconds, rows: count, written: count }, signal);
    }
  }
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
  if (!row || row.trashed_at === null || row.is_purged) return false;
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

/** Removes a file that was put into the trash by itself. */
async function removeFile(work: Work, id: string): Promise<boolean> {
  const row = await lockItem<ItemRow>(work, id);
  if (row) await removeFiles(work, [row.id]);
  return row !== undefined;
}

/**
 * Removes at most so many of the files in some folders; answers how many. They are found in the order of an index: a chunk
 * costs what it removes, however many files there are.
 */
async function removeFilesIn(work: Work, folder_ids: readonly string[], most: number): Promise<number> {
  const files = await work.connection.query<{ id: string }>(
    `SELECT id FROM cloud_items
      WHERE organization_id = $1 AND parent_id = ANY ($2) AND kind = 'file' AND trashed_at IS NULL
      ORDER BY parent_id, id LIMIT $3 FOR UPDATE`,
    [work.organization_id, folder_ids, most],
  );
  if (files.length === 0) return 0;
  await removeFiles(
    work,
    files.map(({ id }) => id),
  );
  return files.length;
}

/** Removes locked files with their versions, and gives their room back; their bytes go after the commit. */
async function removeFiles(work: Work, file_ids: readonly string[]): Promise<void> {
  const { connection, organization_id } = work;
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
