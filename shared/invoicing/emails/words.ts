import type { DocumentRecord } from '../documents/record.ts';
import { day, yen } from '../print/formats.ts';
import { filled } from '../settings/email-templates.ts';
import type { SettingsInForce } from '../settings/queries.ts';
import type { DocumentEmailInput } from './input.ts';

/** What a mail with a document says: as it was given, else the settings' templates filled in. */
export function wordsOf(
  record: DocumentRecord,
  { email_templates, locale }: Pick<SettingsInForce, 'email_templates' | 'locale'>,
  { subject, message }: Pick<DocumentEmailInput, 'subject' | 'message'>,
): { subject: string; message: string } {
  const template = email_templates[record.kind];
  const values = {
    number: record.number ?? '',
    company_name: record.company_snapshot?.name ?? '',
    total: yen(record.total, locale),
    due_date: record.due_date === null ? '' : day(record.due_date, locale),
  };
  return {
    subject: subject ?? filled(template.subject, values),
    message: message ?? filled(template.message, values),
  };
}
