import { createHash } from 'node:crypto';
import type { Database } from '../../shared/db/database.ts';
import { type SeededField, schemaWith, seedForm } from './many-responses.ts';

/** A published form with its public path; spam settings refuse and flag nothing unless said. */
export async function openForm(
  database: Database,
  owner: Parameters<typeof seedForm>[1],
  fields: readonly SeededField[],
  { settings = {}, more = {} }: { settings?: Record<string, unknown>; more?: Record<string, unknown> } = {},
): Promise<{ form_id: string; path: string }> {
  const { organization_id } = owner;
  const schema = schemaWith(fields, more);
  const { form_id } = await seedForm(database, owner, [schema]);
  const open = {
    spam: { min_seconds: 0, max_links: 5, blocked_words: [], per_address: 0, challenge: 'off', burst: 30 },
  };
  const changes = { ...open, ...settings };
  return database.withConnection(organization_id, async ({ query }) => {
    await query('UPDATE forms_versions SET sha256 = $3 WHERE organization_id = $1 AND form_id = $2', [
      organization_id,
      form_id,
      createHash('sha256').update(schema).digest('hex'),
    ]);
    const columns = Object.keys(changes).map((name) => `"${name}" = changed."${name}"`);
    await query(
      `UPDATE forms_settings AS kept SET ${columns.join(', ')}
         FROM jsonb_populate_record(null::forms_settings, $3::jsonb) AS changed
        WHERE kept.organization_id = $1 AND kept.form_id = $2`,
      [organization_id, form_id, JSON.stringify(changes)],
    );
    await query(
      'INSERT INTO forms_slugs (organization_id, slug, form_id, is_present) VALUES ($1, $2, $3, true)',
      [organization_id, form_id.slice(-10), form_id],
    );
    const [{ slug }] = (await query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [
      organization_id,
    ])) as [{ slug: string }];
    return { form_id, path: `/forms/p/${slug}/${form_id.slice(-10)}` };
  });
}
