import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Partial } from './record.ts';

/** A saved partial with what belongs to it. */
export type PartialRow = Omit<Partial, 'object' | 'version'> & {
  form_id: string;
  form_version: number;
  nonce_hash: string;
  form_token: string;
};

/** A partial that has not ended, of a form that is published. Errors: `not_found`. */
export async function partialRow(
  { connection, organization_id, now }: Reader,
  id: string,
): Promise<PartialRow> {
  const [row] = await connection.query<PartialRow>(
    `SELECT partial.id, partial.form_id, partial.form_version, partial.nonce_hash, partial.form_token, partial.data,
         partial.hidden, partial.locale, partial.expires_at
       FROM forms_partials AS partial
       JOIN forms_forms AS form ON form.organization_id = partial.organization_id AND form.id = partial.form_id
      WHERE partial.organization_id = $1 AND partial.id = $2 AND partial.expires_at > $3 AND form.status = 'published'`,
    [organization_id, id, now.toISOString()],
  );
  if (!row) throw notFound();
  return row;
}

/** What was saved. Errors: `not_found`. */
export async function savedPartial(reader: Reader, id: string): Promise<Partial> {
  return partialOf(await partialRow(reader, id));
}

/** A partial as the API shows it. */
export function partialOf({ id, data, hidden, locale, form_version, expires_at }: PartialRow): Partial {
  return { id, object: 'forms.partial', data, hidden, locale, version: form_version, expires_at };
}
