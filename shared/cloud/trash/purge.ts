import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseUnnamed } from '../../platform/storage/shared-content.ts';
import { VersionModel } from '../files/record.ts';
import { type ItemRow, lockItem } from '../items/model.ts';
import { defaultSettings } from '../settings/record.ts';
import { lockTree } from '../tree/lock.ts';
import { freeRoom } from '../usage/quota.ts';
import { markPurged } from './operations.ts';

type Due = { organization_id: string; id: string; is_purged: boolean };

/** Items of the trash that one look takes, and rows that one transaction removes. */
const LOOK = 100;
const CHUNK = 1_000;

/**
 * Purges what was given up, and what has been in the trash for the days that its organization keeps it: rows in chunks,
 * their bytes after the commit. Answers how many items of the trash went.
 */
export async function purgeTrash(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await dueItems(database, now);
    for (const item of due) {
      if (signal.aborted) return count;
      await purge(database, item, now, signal);
      count += 1;
    }
    if (due.length < LOOK) return count;
  }
}

function dueItems(database: Database, now: Date): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT item.organization_id, item.id, item.is_purged FROM cloud_items AS item
         LEFT JOIN cloud_settings AS settings ON settings.organization_id = item.organization_id
        WHERE item.trashed_at IS NOT NULL AND (item.is_purged OR
          item.trashed_at <= $1::timestamptz - make_interval(days => coalesce(settings.trash_days, ${defaultSettings.trash_days})))
        ORDER BY item.is_purged DESC, item.trashed_at LIMIT ${LOOK}`,
      [now.toISOString()],
    ),
  );
}

async function purge(
  database: Database,
  { organization_id, id, is_purged }: Due,
  now: Date,
  signal: AbortSignal,
) {
  const within = <T>(run: (work: Work) => Promise<T>) =>
    database.withConnection(organization_id, (connection) =>
      inWork(
        { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
        run,
        { may_change_nothing: true },
      ),
    );
  if (!is_purged && !(await within((work) => giveUp(work, id)))) return;
  const folder_ids = await within((work) => foldersAt(work, id));
  while (!signal.aborted && (await within((work) => removeFiles(work, id, folder_ids)))) {}
  if (signal.aborted) return;
  for (let at = 0; at < folder_ids.length; at += CHUNK) {
    await within((work) => removeFolders(work, folder_ids.slice(at, at + CHUNK)));
  }
}

/** Marks an item whose time has come; false where it was restored meanwhile. */
async function giveUp(work: Work, id: string): Promise<boolean> {
  await lockTree(work, 'alone');
  const row = await lockItem<ItemRow>(work, id);
  if (!row || row.trashed_at === null) return false;
  if (!row.is_purged) await markPurged(work, [row]);
  return true;
}

/** The folder and those below it, the deepest first; none for a file. */
async function foldersAt({ connection, organization_id }: Work, id: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH RECURSIVE below AS (
       SELECT id, 1 AS level FROM cloud_items WHERE organization_id = $1 AND id = $2 AND kind = 'folder'
       UNION ALL
       SELECT folder.id, below.level + 1 FROM below JOIN cloud_items AS folder
           ON folder.organization_id = $1 AND folder.parent_id = below.id AND folder.kind = 'folder'
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
      WHERE organization_id = $1 AND kind = 'file' AND (id = $2 OR parent_id = ANY ($3))
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

async function removeFolders({ connection, organization_id }: Work, folder_ids: readonly string[]) {
  await connection.query('DELETE FROM cloud_items WHERE organization_id = $1 AND id = ANY ($2)', [
    organization_id,
    folder_ids,
  ]);
}
