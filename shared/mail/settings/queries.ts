import type { Reader } from '../../kernel/reader.ts';
import { keptSettings } from '../../platform/access/organizations/kept-settings.ts';
import { defaultMailSettings, type MailSettings } from './record.ts';

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function mailSettingsOf(
  reader: Pick<Reader, 'connection' | 'organization_id'>,
): Promise<MailSettings> {
  const { id, ...settings } = await keptSettings(reader, 'mail_settings', defaultMailSettings);
  return { id, object: 'mail.settings', ...settings };
}
