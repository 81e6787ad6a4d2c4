import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { formWithVersion } from '../forms/queries.ts';
import type { AnsweredForm } from '../forms/rows.ts';

/** The form of a response, with the version that it was given to. Errors: `not_found`. */
export async function formOfResponse(reader: Reader, id: string): Promise<AnsweredForm> {
  const [row] = await reader.connection.query<{ form_id: string; form_version: number }>(
    'SELECT form_id, form_version FROM forms_responses WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return formWithVersion(reader, row.form_id, row.form_version);
}
