import type { Composing } from '../../platform/mailer/purpose.ts';
import type { FormSettings } from '../settings/record.ts';
import { answerText } from '../told/answer.ts';
import { inLanguage, toldFields } from '../told/fields.ts';

/** What mails about a response are written from. */
export type Mailed = {
  /** To whom this mail goes. */
  email: string;
  title: string;
  schema_json: string;
  data: Record<string, unknown>;
  submitted_at: string;
  is_spam: boolean;
  has_receipt: boolean;
  organization: string;
} & Pick<FormSettings, 'notify' | 'receipt_mail'>;

/** The response of a mail as it is now; null where it was removed meanwhile. */
export async function mailedResponse({
  connection,
  organization_id,
  mail_id,
}: Composing): Promise<Mailed | null> {
  const [row] = await connection.query<Mailed>(
    `SELECT mail.email, version.title, version.schema_json, response.data, response.submitted_at, response.is_spam,
        response.receipt_hash IS NOT NULL AS has_receipt, organization.name AS organization, settings.notify,
        settings.receipt_mail
       FROM forms_mails AS mail
       JOIN forms_responses AS response
         ON response.organization_id = mail.organization_id AND response.id = mail.response_id
       JOIN forms_versions AS version ON version.organization_id = mail.organization_id
        AND version.form_id = response.form_id AND version.number = response.form_version
       JOIN forms_settings AS settings
         ON settings.organization_id = mail.organization_id AND settings.form_id = response.form_id
       JOIN organizations AS organization ON organization.id = mail.organization_id
      WHERE mail.organization_id = $1 AND mail.mail_id = $2`,
    [organization_id, mail_id],
  );
  return row ?? null;
}

/** The answers of a response in the order of its form, a paragraph each: the label, and the answer below it. */
export async function answersOf(
  { connection, organization_id, locale }: Composing,
  { schema_json, data }: Pick<Mailed, 'schema_json' | 'data'>,
  response_id: string,
): Promise<string[]> {
  const answered = [...toldFields(schema_json).values()].filter(({ id }) => data[id] !== undefined);
  const files = answered.some(({ type }) => type === 'file')
    ? await connection.query<{ id: string; file_name: string }>(
        'SELECT id, file_name FROM forms_files WHERE organization_id = $1 AND response_id = $2',
        [organization_id, response_id],
      )
    : [];
  const names = new Map(files.map(({ id, file_name }) => [id, file_name]));
  return answered.map(
    (field) => `${inLanguage(field.label, locale)}\n${answerText(field, data[field.id], locale, names)}`,
  );
}
