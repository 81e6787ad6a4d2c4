import { pageOf } from '../../db/list.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { Work } from '../../kernel/work.ts';
import { holdContents, releaseUnnamed } from '../../platform/storage/shared-content.ts';
import { unavailable } from '../items/gone.ts';
import { scansOf, shownFile } from '../items/shown.ts';
import { heldBy, latest, requireFree } from '../tree/holds.ts';
import { lockTree } from '../tree/lock.ts';
import { todayOf } from '../tree/today.ts';
import { freeRoom, takeRoom } from '../usage/quota.ts';
import { type ContentAsked, served } from './content.ts';
import { lockFile, seenFile } from './queries.ts';
import { type CloudFile, type FileVersion, VersionModel, versionFacts } from './record.ts';
import { changeContent, nextNumber } from './store.ts';

const columns = [
  'id',
  'file_id',
  'number',
  'size_bytes',
  'content_type',
  'declared_type',
  'sha256',
  'storage_key',
  'keep',
  'created_by',
  'created_at',
] as const;

type VersionRow = Omit<FileVersion, 'object' | 'is_current' | 'scan'> & {
  storage_key: string;
  declared_type: string | null;
};

function versionOf(row: VersionRow, current_id: string, scan: FileVersion['scan']): FileVersion {
  return {
    id: row.id,
    object: 'cloud.version',
    file_id: row.file_id,
    number: row.number,
    size_bytes: row.size_bytes,
    content_type: row.content_type,
    sha256: row.sha256,
    is_current: row.id === current_id,
    keep: row.keep,
    scan,
    created_by: row.created_by,
    created_at: row.created_at,
  };
}

/** The versions of a file, the newest first. Errors: `not_found`. */
export async function versionPage(
  reader: Reader,
  file_id: string,
  window: Window,
): Promise<Page<FileVersion>> {
  const { row } = await seenFile(reader, file_id);
  const page = await pageOf<VersionRow>(reader, {
    query: VersionModel.table(reader).where('cloud_versions.file_id', file_id),
    table: VersionModel.tableName,
    columns,
    prefix: 'fver',
    // What a version holds never changes.
    sorts: { size_bytes: 'size_bytes', updated_at: 'created_at' },
    window,
  });
  const scanOf = await scansOf(
    reader,
    page.rows.map(({ storage_key }) => storage_key),
  );
  return {
    ...page,
    rows: page.rows.map((each) => versionOf(each, row.version_id, scanOf(each.storage_key))),
  };
}

/** Errors: `not_found`. */
async function findVersion(
  { connection, organization_id }: Reader,
  file_id: string,
  id: string,
): Promise<VersionRow> {
  const [row] = await connection.query<VersionRow>(
    `SELECT ${columns.join(', ')} FROM cloud_versions WHERE organization_id = $1 AND file_id = $2 AND id = $3`,
    [organization_id, file_id, id],
  );
  if (!row) throw notFound();
  return row;
}

/** The content of a version. Errors: `not_found`, `quarantined`. */
export async function contentOfVersion(reader: Reader, file_id: string, id: string, asked: ContentAsked) {
  const { row } = await seenFile(reader, file_id);
  return served(reader, row.name, await findVersion(reader, file_id, id), asked);
}

/** Says whether a version stays for good. Errors: `not_found`, `folder_permission`. */
export async function updateVersion(
  work: Work,
  file_id: string,
  id: string,
  { keep }: { keep?: boolean | undefined },
): Promise<FileVersion> {
  await lockTree(work, 'shared');
  const { row } = await lockFile(work, file_id, 'manager');
  const version = await findVersion(work, file_id, id);
  const before = versionOf(
    version,
    row.version_id,
    (await scansOf(work, [version.storage_key]))(version.storage_key),
  );
  const after = { ...before, keep: keep ?? before.keep };
  if (work.isSame(versionFacts.updated, before, after)) return before;
  work.update(VersionModel, id, { keep: after.keep });
  work.record(versionFacts.updated, { before, after });
  return after;
}

/**
 * Deletes an old version; its bytes go where no other version has them. Errors: `not_found`, `folder_permission`,
 * `in_use` for the current one, `retention_active`.
 */
export async function deleteVersion(work: Work, file_id: string, id: string): Promise<void> {
  await lockTree(work, 'shared');
  const { row, place } = await lockFile(work, file_id, 'manager');
  const version = await findVersion(work, file_id, id);
  if (id === row.version_id) {
    throw new Failure('in_use', {
      detail: {
        en: 'The current version of a file cannot be deleted; trash the file, or restore another version first',
        ja: '現在の版は削除できません。ファイルをゴミ箱に移すか、先に別の版を復元してください',
      },
    });
  }
  requireFree(latest([row.held_until, heldBy(place.way)]), await todayOf(work));
  const scanOf = await scansOf(work, [version.storage_key]);
  work.record(versionFacts.deleted, {
    before: versionOf(version, row.version_id, scanOf(version.storage_key)),
    after: null,
  });
  work.remove(VersionModel, id);
  await releaseUnnamed(work, VersionModel, [version.storage_key]);
  freeRoom(work, version.size_bytes);
}

/**
 * Makes the bytes of an old version the newest one. The current one: nothing changes. Errors: `not_found`,
 * `folder_permission`, `quarantined`, `quota_exceeded`.
 */
export async function restoreVersion(
  work: Work,
  file_id: string,
  id: string,
  installation_bytes: number,
): Promise<CloudFile> {
  await lockTree(work, 'shared');
  const { row } = await lockFile(work, file_id, 'editor');
  work.precondition(row);
  const version = await findVersion(work, file_id, id);
  const { storage_key, size_bytes, content_type, declared_type, sha256 } = version;
  if (sha256 === row.sha256) {
    work.nothingChanged();
    return shownFile(work, row);
  }
  const scanOf = await scansOf(work, [storage_key]);
  if (scanOf(storage_key) === 'quarantined') throw new Failure('quarantined');
  const held = await holdContents(work, [storage_key]);
  if (!held.has(storage_key)) throw unavailable();
  await takeRoom(work, { used: size_bytes }, installation_bytes);
  const content = {
    version_id: newId('fver', work.now),
    version_number: await nextNumber(work, file_id),
    size_bytes,
    content_type,
    declared_type,
    sha256,
    storage_key,
  };
  return changeContent(work, row, content, scanOf(storage_key));
}
