import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { removeResponses } from '../responses/remove.ts';

/** Files that one statement releases. */
const FILES_TOGETHER = 1_000;

/** Removes the first responses of a form that gets no other. Answers whether there may be more. */
export async function removeNextResponses(work: Work, form_id: string): Promise<boolean> {
  const first = await work.connection.query<{ id: string }>(
    'SELECT id FROM forms_responses WHERE organization_id = $1 AND form_id = $2 ORDER BY id LIMIT $3',
    [work.organization_id, form_id, FACTS_TOGETHER],
  );
  if (first.length === 0) return false;
  const ids = first.map(({ id }) => id);
  await removeResponses(work, ids);
  return ids.length === FACTS_TOGETHER;
}

/** Releases the first files of a form without responses. Answers whether there may be more. */
export async function removeNextFiles(work: Work, form_id: string): Promise<boolean> {
  const released = await work.connection.query(RELEASE, [
    work.organization_id,
    form_id,
    work.now.toISOString(),
  ]);
  return released.length === FILES_TOGETHER;
}

const RELEASE = `
  WITH held AS (
    SELECT id FROM forms_files WHERE organization_id = $1 AND form_id = $2 ORDER BY id LIMIT ${FILES_TOGETHER} FOR UPDATE
  ), gone AS (
    DELETE FROM forms_files USING held WHERE forms_files.organization_id = $1 AND forms_files.id = held.id
    RETURNING forms_files.organization_id, forms_files.storage_key
  )
  INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
  SELECT organization_id, storage_key, $3::timestamptz, $3::timestamptz FROM gone RETURNING 1`;

/** Whether a form has responses or files, as far as the work has sent what it removes. */
export async function isAnythingLeft(
  { connection, organization_id }: Work,
  form_id: string,
): Promise<boolean> {
  const [left] = await connection.query<{ is_left: boolean }>(
    `SELECT EXISTS (SELECT FROM forms_responses WHERE organization_id = $1 AND form_id = $2)
         OR EXISTS (SELECT FROM forms_files WHERE organization_id = $1 AND form_id = $2) AS is_left`,
    [organization_id, form_id],
  );
  return left!.is_left;
}
