import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import type { ConflictRule } from '../items/fields.ts';
import { takeKey } from '../items/keys.ts';
import { type Content, columnsOfName, type FileRow, ItemModel } from '../items/model.ts';
import { fileOf, shownFile } from '../items/shown.ts';
import { lockedHolder, nameInPlace, nameTakenBy, type Taken } from '../items/taken.ts';
import { relink } from '../links/operations.ts';
import type { FileLink } from '../links/queries.ts';
import { fileNameFault, keptName } from '../names.ts';
import { countChildren } from '../tree/counters.ts';
import { lockTree } from '../tree/lock.ts';
import { type Place, placeOfPath } from '../tree/place.ts';
import { type Reservation, settle } from '../usage/reservations.ts';
import { contentETag } from './content.ts';
import { lockFile } from './queries.ts';
import { type CloudFile, type FileInput, fileFacts, VersionModel } from './record.ts';

/** What arrived, and the room that was taken for it; null where none was. */
export type Arrived = {
  file: UploadedFile;
  reservation: Pick<Reservation, 'id'> | null;
  installation_bytes: number;
};

/** `is_new`: a file was made, not a version of one. */
export type Stored = { file: CloudFile; is_new: boolean };

/** Errors: `checksum_mismatch` for a file that is another one than was announced, if it was. */
export function requireAnnounced(sha256: string | null, file: Pick<UploadedFile, 'sha256'>): void {
  if (sha256 === null || sha256 === file.sha256) return;
  throw new Failure('checksum_mismatch', {
    detail: {
      en: `sha256 says ${sha256}; the file that arrived has ${file.sha256}`,
      ja: `sha256の値は${sha256}ですが、届いたファイルのSHA-256は${file.sha256}です`,
    },
  });
}

/** The name that a file came with. Errors: `validation_failed` at /file. */
export function nameOf({ file_name }: Pick<UploadedFile, 'file_name'>): string {
  const name = keptName(file_name);
  const fault = fileNameFault(name);
  if (fault) throw invalid('/file', fault.code, fault.message);
  return name;
}

/** The file that has a name, locked; null where the name is free. Errors: `already_exists` for a folder. */
export async function takenFile(work: Work, folder_id: string | null, name: string): Promise<FileRow | null> {
  return fileWithName(work, await lockedHolder(work, folder_id, name));
}

async function fileWithName(work: Work, taken: Taken | null): Promise<FileRow | null> {
  if (!taken) return null;
  if (taken.kind === 'folder') throw await nameTakenBy(work, taken);
  return (await lockFile(work, taken.id, 'editor')).row;
}

type NewFile = Omit<FileInput, 'on_conflict' | 'folder_id'> & {
  name: string;
  place: Place;
  on_conflict?: ConflictRule | undefined;
  /** Whether the name was locked and found free before. */
  is_free?: boolean;
  /** The records that it belongs to from the beginning. */
  links?: readonly FileLink[];
};

/** Makes a file of what arrived; the tree is locked. Errors: `already_exists`, `quota_exceeded`, those of `relink`. */
export async function createFile(
  work: Work,
  { name, place, on_conflict, is_free = false, description, external_id, metadata, links = [] }: NewFile,
  arrived: Arrived,
): Promise<Stored> {
  const { folder_id: parent_id } = place;
  const named = is_free ? name : await nameInPlace(work, { parent_id, name, on_conflict });
  await takeKey(work, 'file', external_id);
  await arrived.file.stored;
  await settle(work, arrived.reservation, arrived.file.size, arrived.installation_bytes);
  const at = work.now.toISOString();
  const row: FileRow = {
    id: newId('file', work.now),
    kind: 'file',
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
    extension: extensionOf(named),
    ...contentOf(work, arrived.file, 1),
  };
  insertFile(work, row);
  if (links.length > 0) {
    const { held_until } = await relink(work, { row, place }, [], links);
    if (held_until !== null) work.update(ItemModel, row.id, { held_until });
  }
  const file = fileOf(work, row, place.way, [...links], arrived.file.scan);
  work.record(fileFacts.created, { before: null, after: file });
  return { file, is_new: true };
}

/** Adds a file with its first version, and counts it in its folder. */
export function insertFile(work: Work, row: FileRow): void {
  work.insert(ItemModel, { ...row, ...columnsOfName(row.name) });
  insertVersion(work, row.id, row);
  countChildren(work, [{ folder_id: row.parent_id, kind: 'file', by: 1 }]);
}

/**
 * Makes what arrived the newest version of a locked file; nothing where its bytes are the current ones. Errors:
 * `quota_exceeded`.
 */
export async function storeVersion(work: Work, row: FileRow, arrived: Arrived): Promise<Stored> {
  const { file, reservation, installation_bytes } = arrived;
  if (file.sha256 === row.sha256) {
    if (reservation) await settle(work, reservation, 0, installation_bytes);
    releaseFile(work, file.storage_key!);
    work.nothingChanged();
    return { file: await shownFile(work, row), is_new: false };
  }
  await file.stored;
  await settle(work, reservation, file.size, installation_bytes);
  const content = contentOf(work, file, await nextNumber(work, row.id));
  return { file: await changeContent(work, row, content, file.scan), is_new: false };
}

/** Gives a locked file a new current version. */
export async function changeContent(
  work: Work,
  row: FileRow,
  content: Content,
  scan: CloudFile['scan'],
): Promise<CloudFile> {
  const before = await shownFile(work, row);
  const updated_at = work.touch(row);
  insertVersion(work, row.id, {
    ...content,
    created_by: work.actor.user_id,
    created_at: work.now.toISOString(),
  });
  work.update(ItemModel, row.id, { ...content, updated_by: work.actor.user_id, updated_at });
  const { storage_key, ...shown } = content;
  const after = { ...before, ...shown, scan, updated_by: work.actor.user_id, updated_at };
  work.record(fileFacts.updated, { before, after });
  return after;
}

/** The number of a version that is added to a locked file: those that were deleted keep theirs. */
export async function nextNumber({ connection, organization_id }: Work, file_id: string): Promise<number> {
  const [newest] = await connection.query<{ number: number }>(
    'SELECT max(number) AS number FROM cloud_versions WHERE organization_id = $1 AND file_id = $2',
    [organization_id, file_id],
  );
  return newest!.number + 1;
}

function insertVersion(
  work: Work,
  file_id: string,
  row: Content & { created_by: string | null; created_at: string },
): void {
  work.insert(VersionModel, {
    id: row.version_id,
    file_id,
    number: row.version_number,
    size_bytes: row.size_bytes,
    content_type: row.content_type,
    declared_type: row.declared_type,
    sha256: row.sha256,
    storage_key: row.storage_key,
    created_by: row.created_by,
    created_at: row.created_at,
  });
}

function contentOf(work: Work, file: UploadedFile, version_number: number): Content {
  if (file.storage_key === null) throw new Error('The endpoint does not keep its file');
  return {
    version_id: newId('fver', work.now),
    version_number,
    size_bytes: file.size,
    content_type: file.content_type,
    declared_type: file.media_type || null,
    sha256: file.sha256,
    storage_key: file.storage_key,
  };
}

/** In small letters; empty without a dot behind the first letter. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** Whether the conditions of a PUT let it replace the content that has this ETag; null: it would make the file. */
export type Accepts = (etag: string | null) => boolean;

/**
 * Keeps the body of a PUT under a name in a folder: makes the file, or adds a version to it. Errors: `not_found`,
 * `folder_permission`, `precondition_failed`, `already_exists` where a folder has the name, `quota_exceeded`.
 */
export async function putByName(
  work: Work,
  { folder_id, name }: { folder_id: string | null; name: string },
  accepts: Accepts,
  arrived: Arrived,
): Promise<Stored> {
  // They travel together: a small file costs hardly more than its round trips.
  const [, place, holder] = await Promise.all([
    lockTree(work, 'shared'),
    placeOfPath(work, folder_id, 'editor'),
    lockedHolder(work, folder_id, name),
  ]);
  const taken = await fileWithName(work, holder);
  requireAccepted(accepts, taken);
  if (taken) return storeVersion(work, taken, arrived);
  return createFile(work, { name, place, is_free: true }, arrived);
}

/**
 * Makes the body of a PUT the newest version of a file. Errors: `not_found`, `folder_permission`, `precondition_failed`,
 * `quota_exceeded`.
 */
export async function putContent(
  work: Work,
  id: string,
  accepts: Accepts,
  arrived: Arrived,
): Promise<Stored> {
  await lockTree(work, 'shared');
  const { row } = await lockFile(work, id, 'editor');
  requireAccepted(accepts, row);
  return storeVersion(work, row, arrived);
}

/** Errors: `precondition_failed`. */
function requireAccepted(accepts: Accepts, row: FileRow | null): void {
  if (!accepts(row && contentETag(row.sha256))) throw new Failure('precondition_failed');
}
