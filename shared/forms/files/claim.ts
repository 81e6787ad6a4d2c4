import { oneOf } from '../../db/one-of.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { releaseFile } from '../../platform/storage/loose-files.ts';
import { FILES_OF_RESPONSE, RESPONSE_FILE_COLUMNS, type ResponseFile } from './record.ts';

/**
 * Whose files may stand in the answers: those that were uploaded under the nonce of a form token (its hash), or with
 * credentials where it is null; and of an edited response those that it has.
 */
export type Claimant = { form_id: string; nonce_hash: string | null; response_id?: string };

/** Most files that one response names: 200 fields with 10 each. */
const MOST_FILES = 2_000;

/**
 * The files among `ids` that the claimant may name, by their IDs, locked until the work commits so that no other response
 * takes them; a file that is not there is one of another form, field or token, or claimed already. No statement without IDs.
 * Locks: the files, in the order of their IDs, after the form and the response.
 */
export async function claimableFiles(
  { connection, organization_id }: Reader,
  { form_id, nonce_hash, response_id = '' }: Claimant,
  ids: readonly string[],
): Promise<Map<string, ResponseFile>> {
  if (ids.length === 0) return new Map();
  const found = await connection.query<ResponseFile>(
    `SELECT ${RESPONSE_FILE_COLUMNS} FROM forms_files
      WHERE organization_id = $1 AND id = ${oneOf('$2')} AND form_id = $3
        AND (response_id = $4 OR response_id IS NULL AND nonce_hash IS NOT DISTINCT FROM $5)
      ORDER BY id FOR UPDATE`,
    [organization_id, ids.slice(0, MOST_FILES), form_id, response_id, nonce_hash],
  );
  return new Map(found.map((file) => [file.id, file]));
}

/** What may be the ID of a file; other texts, which the database might not even hold, name none. */
const FILE_ID = /^ffile_[A-Za-z0-9_-]+$/;

/**
 * Every text in the answers that may be the ID of a file, for `claimableFiles`: the answers are judged with what that finds.
 */
export function fileIdsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const ids = Object.values(data).flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const named = ids.filter((one): one is string => typeof one === 'string' && FILE_ID.test(one));
  return [...new Set(named)].slice(0, MOST_FILES);
}

/**
 * Gives files to a response, in the transaction that stores it. `files` are those of its stored answers, out of what
 * `claimableFiles` found; of an edited response those that its answers no longer name are removed. Errors:
 * `body_too_large` beyond 100 MiB together.
 */
export async function claimFiles(
  work: Work,
  response_id: string,
  files: readonly ResponseFile[],
  { is_edit = false } = {},
): Promise<void> {
  refuseBeyondLimit(files);
  const ids = files.map(({ id }) => id);
  if (is_edit) await releaseOthers(work, response_id, ids);
  if (ids.length === 0) return;
  work.run(
    `UPDATE forms_files SET response_id = $2, partial_id = NULL
      WHERE organization_id = $1 AND id = ${oneOf('$3')}`,
    [work.organization_id, response_id, ids],
  );
}

/** Errors: `body_too_large` where files have more than 100 MiB together. */
export function refuseBeyondLimit(files: readonly { size_bytes: number }[]): void {
  const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes <= FILES_OF_RESPONSE) return;
  throw new Failure('body_too_large', {
    detail: {
      en: 'The files of one response may have 100 MiB together',
      ja: '1件の回答のファイルは合計100MiBまでです',
    },
  });
}

async function releaseOthers(work: Work, response_id: string, kept: readonly string[]): Promise<void> {
  const gone = await work.connection.query<{ storage_key: string }>(
    `DELETE FROM forms_files WHERE organization_id = $1 AND response_id = $2 AND id <> ALL ($3)
     RETURNING storage_key`,
    [work.organization_id, response_id, kept],
  );
  for (const { storage_key } of gone) releaseFile(work, storage_key);
}
