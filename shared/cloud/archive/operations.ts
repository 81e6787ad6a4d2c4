import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { archiveFolderJob } from '../jobs.ts';
import { placeOfPath, seenPlace } from '../tree/place.ts';
import { hiddenFolders } from '../tree/sight.ts';

/** Has a worker put a folder (null: the root) into a zip. Errors: `not_found`. */
export async function archiveFolder(work: Work, folder_id: string | null): Promise<JobResource> {
  await placeOfPath(work, folder_id, 'viewer');
  // Only who asked sees the job, and so its file: others may see less of the folder.
  const job = createJob(work, { kind: 'cloud.folders.archive', scope: '*', unit: 'files' });
  const { type, id, user_id } = work.actor;
  const payload = { job_id: job.id, folder_id, asking: { type, id, user_id } };
  work.enqueue(archiveFolderJob, payload, { job_id: job.id });
  return job;
}

/** Something to be put into a zip: its path there, and for a file its content. */
export type Archived = {
  path: string;
  changed_at: string;
  content: { storage_key: string; size_bytes: number } | null;
};

/** How much one answer may have: items, and bytes of their paths together. */
export type Bounds = { items: number; path_bytes: number };

/** `is_whole`: it is within the bounds; else it has no items. */
export type Contents = { name: string; items: Archived[]; quarantined: number; is_whole: boolean };

/**
 * What is at and below a folder as the caller sees it, folders before what is in them, if that is within the bounds: each path
 * may have thirty names. Quarantined contents are left out and counted. Errors: `not_found`.
 */
export async function contentsBelow(
  reader: Reader,
  folder_id: string | null,
  most: Bounds,
): Promise<Contents> {
  const place = await seenPlace(reader, folder_id);
  if (!place) throw notFound();
  const rows = await reader.connection.query<Row>(BELOW, [
    reader.organization_id,
    folder_id,
    await hiddenFolders(reader),
    most.items,
    most.path_bytes,
  ]);
  const found = rows.filter(({ path }) => path !== null);
  const clean = found.filter(({ is_quarantined }) => !is_quarantined);
  return {
    name: place.way[0]?.name ?? 'root',
    items: clean.map(({ path, changed_at, storage_key, size_bytes }) => ({
      path: path!,
      changed_at: changed_at!,
      content: storage_key === null ? null : { storage_key, size_bytes: size_bytes! },
    })),
    quarantined: found.length - clean.length,
    is_whole: rows[0]!.is_whole,
  };
}

type Row = {
  is_whole: boolean;
  path: string | null;
  changed_at: string | null;
  storage_key: string | null;
  size_bytes: number | null;
  is_quarantined: boolean;
};

/** One row without a path where there is nothing, or too much. */
const BELOW = `
  WITH RECURSIVE below AS (
    SELECT item.id, item.kind, item.name AS path, item.updated_at AS changed_at, item.storage_key, item.size_bytes
      FROM cloud_items AS item
     WHERE item.organization_id = $1 AND item.trashed_at IS NULL
       AND CASE WHEN $2::text IS NULL THEN item.parent_id IS NULL ELSE item.parent_id = $2 END
       AND item.id <> ALL ($3::text[])
    UNION ALL
    SELECT item.id, item.kind, below.path || '/' || item.name, item.updated_at, item.storage_key, item.size_bytes
      FROM below JOIN cloud_items AS item
        ON item.organization_id = $1 AND item.parent_id = below.id AND item.trashed_at IS NULL
     WHERE below.kind = 'folder' AND item.id <> ALL ($3::text[])
  ), measured AS (
    SELECT count(*) <= $4 AND coalesce(sum(octet_length(path)), 0) <= $5 AS is_whole FROM below
  )
  SELECT measured.is_whole, below.path, below.changed_at, below.storage_key, below.size_bytes,
         coalesce(file.scan = 'quarantined', false) AS is_quarantined
    FROM measured LEFT JOIN below ON measured.is_whole
    LEFT JOIN files AS file ON file.organization_id = $1 AND file.storage_key = below.storage_key
   ORDER BY below.path COLLATE "C"`;
