import type { Reader } from '../../kernel/reader.ts';
import { keptSettings } from '../../platform/access/organizations/kept-settings.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import type { DkimKey } from './dkim-record.ts';
import { defaultMailSettings, type MailSettings } from './record.ts';

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function mailSettingsOf(
  reader: Pick<Reader, 'connection' | 'organization_id'>,
): Promise<MailSettings> {
  const { id, created_at, updated_at, ...settings } = await keptSettings(
    reader,
    'mail_settings',
    defaultMailSettings,
  );
  const dkim_keys = await reader.connection.query<DkimKey>(
    `SELECT domain, selector, dns_name, dns_value, created_at FROM mail_dkim_keys
     WHERE organization_id = $1 ORDER BY selector`,
    [reader.organization_id],
  );
  return { id, object: 'mail.settings', ...settings, dkim_keys, created_at, updated_at };
}

/** Whom mails of campaigns are from, as people are told it: the organization's own name until the settings name another. */
export async function mailSenderOf(reader: Pick<Reader, 'connection' | 'organization_id'>): Promise<string> {
  const { sender_name } = await mailSettingsOf(reader);
  return sender_name ?? (await organizationById(reader.connection, reader.organization_id)).name;
}
