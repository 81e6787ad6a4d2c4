import { notFound } from '../../../kernel/failure.ts';
import type { Actor, Reader } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';
import { releaseFile } from '../../storage/loose-files.ts';
import type { ImportDomain, ImportRun } from '../domain.ts';
import { ImportModel, type ImportRecord, importFacts, shownImport } from '../record.ts';
import { forgetWaiting } from './waiting.ts';

/** What the payload of a job names. */
export type Named = { import_id: string; job_id: string };

/** The row, of a kind where one is named, locked until the work commits. Errors: `not_found`. */
export async function lockImport(
  reader: Reader,
  id: string,
  kind: string | null = null,
): Promise<ImportRecord> {
  const [row] = await reader.connection.query<ImportRecord>(
    `SELECT * FROM imports WHERE organization_id = $1 AND id = $2 AND ($3::text IS NULL OR kind = $3)
        FOR NO KEY UPDATE`,
    [reader.organization_id, id, kind],
  );
  if (!row) throw notFound();
  return row;
}

/** Changes the row and answers it as it is then. */
export function changeImport(work: Work, row: ImportRecord, changes: Partial<ImportRecord>): ImportRecord {
  const all = { ...changes, updated_at: work.touch(row) };
  work.update(ImportModel, row.id, all);
  return { ...row, ...all };
}

/**
 * Ends an import, gives up its file and what waits of it unless it may be tried again, and says so in the audit log with its counts: an
 * import is one entry there.
 */
export function endImport(
  work: Work,
  domain: Pick<ImportDomain, 'domain'>,
  row: ImportRecord,
  changes: Partial<ImportRecord>,
  { keepsFile = false } = {},
): ImportRecord {
  const isReleased = !keepsFile && row.storage_key !== null;
  if (isReleased) releaseFile(work, row.storage_key!);
  if (!keepsFile && row.waiting_rows > 0) forgetWaiting(work, row.id);
  const finished_at = work.now.toISOString();
  const file = isReleased ? { storage_key: null } : {};
  const after = changeImport(work, row, { finished_at, ...changes, ...file });
  work.record(importFacts(domain.domain).created, {
    before: null,
    after: { id: row.id, ...shownImport(after) },
  });
  return after;
}

/** Whom an import acts for: the one who asked, who had the right to when they asked. */
export function actorOf(row: ImportRecord): Actor {
  const { actor_type: type, actor_id: id, created_by: user_id } = row;
  return { type, id, user_id, role: null, grants: ['*'] };
}

/** The import as its domain sees it. */
export function runOf(row: ImportRecord): ImportRun {
  return {
    import_id: row.id,
    options: row.options,
    on_conflict: row.on_conflict,
    dry_run: row.dry_run,
    mapped: Object.values(row.mapping ?? {}),
    actor: actorOf(row),
    first_id: row.first_id,
    last_id: row.last_id,
  };
}
