import type { Work } from '../../kernel/work.ts';
import { forgetReplies } from '../erasing/kept.ts';
import { partialLinks } from './link.ts';
import { partialRow } from './queries.ts';

/** Saved partials that one transaction ends. */
export const PARTIALS_TOGETHER = 200;

/**
 * Ends saved partials with their links and the files that only they hold: one that another partial of the same nonce names stays
 * with that. The caller bounds how many. Locks: those of `lockWithOthers`, then the files of those that end.
 */
export async function endPartials(work: Work, ids: readonly string[]): Promise<number> {
  const { connection, organization_id, now } = work;
  const locked = await lockWithOthers(work, ids);
  const ended = locked.filter((id) => ids.includes(id));
  if (ended.length === 0) return 0;
  await leaveFiles(work, ended, { to: locked.filter((id) => !ids.includes(id)) });
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

/** Partials with the others of their nonces, locked in the order of their IDs: they may name the same files. Answers their IDs. */
export async function lockWithOthers(
  { connection, organization_id }: Work,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM forms_partials WHERE organization_id = $1 AND (id = ANY ($2) OR nonce_hash = ANY (ARRAY(
       SELECT nonce_hash FROM forms_partials WHERE organization_id = $1 AND id = ANY ($2))))
      ORDER BY id FOR UPDATE`,
    [organization_id, ids],
  );
  return rows.map(({ id }) => id);
}

/** Leaves files of partials, but for the `kept` ones, to others of the same nonce that name them too. All are locked. */
export async function leaveFiles(
  { connection, organization_id }: Work,
  ids: readonly string[],
  { to, kept = [] }: { to: readonly string[]; kept?: readonly string[] },
): Promise<void> {
  if (to.length > 0) await connection.query(LEAVE, [organization_id, ids, to, kept]);
}

const LEAVE = `
  UPDATE forms_files AS file SET partial_id = other.id FROM forms_partials AS other
   WHERE file.organization_id = $1 AND file.partial_id = ANY ($2) AND file.id <> ALL ($4) AND file.response_id IS NULL
     AND other.organization_id = $1 AND other.id = ANY ($3) AND other.nonce_hash = file.nonce_hash
     AND jsonb_path_exists(other.data, '$.*[*] ? (@ == $id)', jsonb_build_object('id', file.id))`;

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
