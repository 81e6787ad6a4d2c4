import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';

/** Settings as calls show them: those that an organization has, with its ID, and since when. */
export type Kept<Settings> = Settings & { id: string; created_at: string; updated_at: string };

/**
 * The settings that the reader's organization keeps in a table, which has a column for each of `defaults` and a row where
 * somebody has changed any; else the defaults, from the organization's first day on. Errors: `not_found`.
 */
export async function keptSettings<Settings extends object>(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  table: string,
  defaults: Settings,
): Promise<Kept<Settings>> {
  type Found = { organization_created_at: string; updated_at: string | null } & Settings;
  const [found] = await connection.query<Found>(
    `SELECT organization.created_at AS organization_created_at, settings.updated_at,
            ${Object.keys(defaults)
              .map((name) => `settings.${name}`)
              .join(', ')}
       FROM organizations AS organization
       LEFT JOIN ${table} AS settings ON settings.organization_id = organization.id
      WHERE organization.id = $1`,
    [organization_id],
  );
  if (!found) throw notFound();
  const { organization_created_at: created_at, updated_at, ...kept } = found;
  return {
    ...(updated_at === null ? defaults : (kept as Settings)),
    id: organization_id,
    created_at,
    updated_at: updated_at ?? created_at,
  };
}
