import { type FieldError, invalidAll, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isKnownField } from '../versions/known-field.ts';
import type { ResponseFilters } from './filters.ts';

/**
 * Sees that the form of a list is there, and that its filters mean something: `value` goes with `field`, which one of the
 * versions has. Errors: `not_found`, `validation_failed` at the parameter, or at the member where the filters are a body.
 */
export async function requireFilters(
  reader: Reader,
  form_id: string,
  { field, value }: ResponseFilters,
  place: 'query' | 'body',
): Promise<void> {
  const { connection, organization_id } = reader;
  const [form] = await connection.query('SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2', [
    organization_id,
    form_id,
  ]);
  if (!form) throw notFound();
  if (field === undefined && value === undefined) return;
  if (field === undefined || value === undefined) {
    const [missing, sent] = field === undefined ? ['field', 'value'] : ['value', 'field'];
    throw refused(place, missing, 'required', {
      en: `is required with ${sent}`,
      ja: `は ${sent} と一緒に指定してください`,
    });
  }
  if (await isKnownField(reader, form_id, field)) return;
  throw refused(place, 'field', 'unknown_field', {
    en: 'is a field of no version of the form',
    ja: 'はこのフォームのどの版にもない項目です',
  });
}

function refused(place: 'query' | 'body', name: string, code: string, predicate: { en: string; ja: string }) {
  const message = { en: `${name} ${predicate.en}`, ja: `${name} ${predicate.ja}` };
  const path = place === 'query' ? name : `/${name}`;
  return invalidAll([{ in: place, path, code, message } satisfies FieldError]);
}
