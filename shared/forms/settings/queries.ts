import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type FormSettings, type KeptSettings, settingNames } from './record.ts';

/** The settings of a form. Errors: `not_found`. */
export async function settingsOf(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  form_id: string,
): Promise<FormSettings> {
  const [row] = await connection.query<KeptSettings & { updated_at: string }>(
    `SELECT ${settingNames.join(', ')}, updated_at FROM forms_settings WHERE organization_id = $1 AND form_id = $2`,
    [organization_id, form_id],
  );
  if (!row) throw notFound();
  return { id: form_id, object: 'forms.settings', ...row };
}
