import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { RESPONSE_FILE_COLUMNS, type ResponseFile } from '../files/record.ts';
import type { FormResponse } from './record.ts';
import { type ResponseRow, responseColumns, responseOf } from './rows.ts';

/** The form is asked for too: responses of a removed one go behind it. */
const RESPONSE = `SELECT ${responseColumns.join(', ')} FROM forms_responses
  WHERE organization_id = $1 AND form_id = $2 AND id = $3
    AND EXISTS (SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2)`;

/** A response of a form. Errors: `not_found`. */
export function responseById(reader: Reader, form_id: string, id: string): Promise<FormResponse> {
  return one(reader, RESPONSE, form_id, id);
}

/** The same, locked until the work commits. Locks: the form against its removal, then the response. Errors: `not_found`. */
export async function holdResponse(work: Work, form_id: string, id: string): Promise<FormResponse> {
  await work.connection.query(
    'SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [work.organization_id, form_id],
  );
  return one(work, `${RESPONSE} FOR UPDATE`, form_id, id);
}

async function one(reader: Reader, text: string, form_id: string, id: string): Promise<FormResponse> {
  const { connection, organization_id } = reader;
  const [row] = await connection.query<ResponseRow>(text, [organization_id, form_id, id]);
  if (!row) throw notFound();
  const files = await filesOf(reader, [id]);
  return responseOf(row, files.get(id) ?? []);
}

/** The files of responses, in the order of their making: one statement for any number of them. */
export async function filesOf(
  { connection, organization_id }: Reader,
  response_ids: readonly string[],
): Promise<Map<string, ResponseFile[]>> {
  if (response_ids.length === 0) return new Map();
  const rows = await connection.query<ResponseFile & { response_id: string }>(
    `SELECT response_id, ${RESPONSE_FILE_COLUMNS} FROM forms_files
      WHERE organization_id = $1 AND response_id = ${oneOf('$2')} ORDER BY id`,
    [organization_id, response_ids],
  );
  const files = new Map<string, ResponseFile[]>();
  for (const { response_id, ...file } of rows) {
    const own = files.get(response_id);
    if (own) own.push(file);
    else files.set(response_id, [file]);
  }
  return files;
}
