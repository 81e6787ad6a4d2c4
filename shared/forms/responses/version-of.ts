import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Claimant } from '../files/claim.ts';
import { formWithVersion } from '../forms/queries.ts';
import type { AnsweredForm } from '../forms/rows.ts';

type Row = { form_id: string; form_version: number; nonce_hash: string | null };

/** The form of a response, with the version that it was given to, and who claims files for it. Errors: `not_found`. */
export async function formOfResponse(
  reader: Reader,
  id: string,
): Promise<{ answered: AnsweredForm; claimant: Claimant }> {
  const [row] = await reader.connection.query<Row>(
    'SELECT form_id, form_version, nonce_hash FROM forms_responses WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  const { form_id, form_version, nonce_hash } = row;
  const answered = await formWithVersion(reader, form_id, form_version);
  return { answered, claimant: { form_id, nonce_hash, response_id: id } };
}
