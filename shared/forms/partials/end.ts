import type { Work } from '../../kernel/work.ts';
import { forgetReplies } from '../erasing/kept.ts';
import { partialLinks } from './link.ts';
import { partialRow } from './queries.ts';

/** Saved partials that one transaction ends. */
export const PARTIALS_TOGETHER = 200;

/**
 * Ends saved partials with their links and the files that only they hold. The caller bounds how many. Locks: the partials, then
 * their files, each in the order of their IDs.
 */
export async function endPartials(work: Work, ids: readonly string[]): Promise<number> {
  const { connection, organization_id, now } = work;
  const locked = await connection.query<{ id: string }>(
    'SELECT id FROM forms_partials WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE',
    [organization_id, ids],
  );
  if (locked.length === 0) return 0;
  const ended = locked.map(({ id }) => id);
  await connection.query(RELEASE, [organization_id, ended, now.toISOString()]);
  await connection.query(
    'DELETE FROM links WHERE organization_id = $1 AND purpose = $2 AND record_id = ANY ($3)',
    [organization_id, partialLinks.name, ended],
  );
  await connection.query('DELETE FROM forms_partials WHERE organization_id = $1 AND id = ANY ($2)', [
    organization_id,
    ended,
  ]);
  forgetReplies(work, 'partial', ended);
  return ended.length;
}

/**
 * Ends everything that was saved of a form which takes no more: it waits for who saves other answers just now. Files belong to nobody
 * then, and go with those that were never claimed. Locks: the partials, after the form; their files.
 */
export async function endPartialsOfForm(work: Work, form_id: string): Promise<void> {
  const { connection, organization_id } = work;
  const rows = await connection.query<{ id: string }>(
    'DELETE FROM forms_partials WHERE organization_id = $1 AND form_id = $2 RETURNING id',
    [organization_id, form_id],
  );
  if (rows.length === 0) return;
  const ended = rows.map(({ id }) => id);
  work.run('UPDATE forms_files SET partial_id = NULL WHERE organization_id = $1 AND partial_id = ANY ($2)', [
    organization_id,
    ended,
  ]);
  work.run('DELETE FROM links WHERE organization_id = $1 AND purpose = $2 AND record_id = ANY ($3)', [
    organization_id,
    partialLinks.name,
    ended,
  ]);
  forgetReplies(work, 'partial', ended);
}

const RELEASE = `
  WITH held AS (
    SELECT id FROM forms_files WHERE organization_id = $1 AND partial_id = ANY ($2) AND response_id IS NULL
     ORDER BY id FOR UPDATE
  ), gone AS (
    DELETE FROM forms_files USING held WHERE forms_files.organization_id = $1 AND forms_files.id = held.id
    RETURNING forms_files.organization_id, forms_files.storage_key
  )
  INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
  SELECT organization_id, storage_key, $3::timestamptz, $3::timestamptz FROM gone`;

/** Ends a saved partial by its link. Errors: `not_found`. */
export async function deletePartial(work: Work, id: string): Promise<void> {
  await partialRow(work, id);
  await endPartials(work, [id]);
  work.nothingChanged();
}
