import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseUnnamed } from '../../platform/storage/shared-content.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { type FileRow, lockItem } from '../items/model.ts';
import { defaultSettings } from '../settings/record.ts';
import { waysOf } from '../tree/ancestors.ts';
import { heldBy, latest } from '../tree/holds.ts';
import { lockTree } from '../tree/lock.ts';
import { todayOf } from '../tree/today.ts';
import { freeRoom } from '../usage/quota.ts';
import { VersionModel } from './record.ts';

type Due = { organization_id: string; file_id: string };

/** Files that one look takes. */
const LOOK = 200;

const { version_days, version_count } = defaultSettings;

/** Versions that are older than the days and beyond the number that their organization keeps; never current or kept ones. */
const OLD = `version.file_id = file.id AND version.organization_id = file.organization_id AND NOT version.keep
    AND version.id <> file.version_id
    AND version.created_at < $1::timestamptz - make_interval(days => coalesce(settings.version_days, ${version_days}))
    AND (SELECT count(*) FROM cloud_versions AS newer
          WHERE newer.organization_id = version.organization_id AND newer.file_id = version.file_id
            AND newer.number > version.number) >= coalesce(settings.version_count, ${version_count})`;

/**
 * Prunes old versions of all files, and answers how many files lost some. A held file, or one in a held folder, loses none.
 * Throws at the end where files could not be pruned.
 */
export function pruneVersions(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const look = (after: Due | undefined) => dueFiles(database, now, after);
  return eachDue({ look, size: LOOK, signal, fault: 'files could not be pruned' }, (file) =>
    prune(database, file, now),
  );
}

function dueFiles(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT file.organization_id, file.id AS file_id FROM cloud_items AS file
         LEFT JOIN cloud_settings AS settings ON settings.organization_id = file.organization_id
        WHERE file.version_number > 1 AND (file.organization_id, file.id) > ($2, $3)
          AND EXISTS (SELECT FROM cloud_versions AS version WHERE ${OLD})
        ORDER BY file.organization_id, file.id LIMIT ${LOOK}`,
      [now.toISOString(), after?.organization_id ?? '', after?.file_id ?? ''],
    ),
  );
}

function prune(database: Database, { organization_id, file_id }: Due, now: Date): Promise<boolean> {
  return database.withConnection(organization_id, (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      (work) => pruneFile(work, file_id),
      { may_change_nothing: true },
    ),
  );
}

async function pruneFile(work: Work, file_id: string): Promise<boolean> {
  await lockTree(work, 'shared');
  const row = await lockItem<FileRow>(work, file_id);
  if (!row) return false;
  const way = (await waysOf(work, row.parent_id === null ? [] : [row.parent_id]))(row.parent_id);
  const held_until = latest([row.held_until, heldBy(way ?? [])]);
  if (held_until !== null && held_until >= (await todayOf(work))) return false;
  const pruned = await work.connection.query<{ storage_key: string; size_bytes: number }>(
    `DELETE FROM cloud_versions WHERE organization_id = $2 AND id IN (
       SELECT version.id FROM cloud_items AS file
         LEFT JOIN cloud_settings AS settings ON settings.organization_id = file.organization_id
         JOIN cloud_versions AS version ON ${OLD}
        WHERE file.organization_id = $2 AND file.id = $3)
     RETURNING storage_key, size_bytes`,
    [work.now.toISOString(), work.organization_id, file_id],
  );
  await releaseUnnamed(work, VersionModel, [...new Set(pruned.map(({ storage_key }) => storage_key))]);
  freeRoom(
    work,
    pruned.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  );
  return pruned.length > 0;
}
