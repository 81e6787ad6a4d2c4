import type { Reader } from '../../kernel/reader.ts';
import { keptSettings } from '../../platform/access/organizations/kept-settings.ts';
import { defaultSettings, type KeptSettings, type SignSettings } from './record.ts';

export const settingNames = Object.keys(defaultSettings) as (keyof KeptSettings)[];

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function signSettingsOf(
  reader: Pick<Reader, 'connection' | 'organization_id'>,
): Promise<SignSettings> {
  const { id, ...settings } = await keptSettings(reader, 'sign_settings', defaultSettings);
  return { id, object: 'sign.settings', ...settings };
}
