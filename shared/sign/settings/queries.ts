import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { defaultSettings, type KeptSettings, type SignSettings } from './record.ts';

export const settingNames = Object.keys(defaultSettings) as (keyof KeptSettings)[];

type Found = { organization_created_at: string; updated_at: string | null } & Partial<KeptSettings>;

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function signSettingsOf({
  connection,
  organization_id,
}: Pick<Reader, 'connection' | 'organization_id'>): Promise<SignSettings> {
  const [found] = await connection.query<Found>(
    `SELECT organization.created_at AS organization_created_at, settings.updated_at,
            ${settingNames.map((name) => `settings.${name}`).join(', ')}
       FROM organizations AS organization
       LEFT JOIN sign_settings AS settings ON settings.organization_id = organization.id
      WHERE organization.id = $1`,
    [organization_id],
  );
  if (!found) throw notFound();
  const { organization_created_at: created_at, updated_at, ...kept } = found;
  return {
    id: organization_id,
    object: 'sign.settings',
    ...(updated_at === null ? defaultSettings : (kept as KeptSettings)),
    created_at,
    updated_at: updated_at ?? created_at,
  };
}
