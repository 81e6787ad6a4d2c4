import type { Reader } from '../../kernel/reader.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import { acceptingOf } from './accepting.ts';
import type { ShownForm } from './record.ts';
import type { StoredForm } from './rows.ts';
import { actionsFor } from './transitions.ts';

/** Tells forms as the API shows them to who asks; the organization's slug is a part of the addresses of their pages. */
export async function formsShown(
  reader: Pick<Reader, 'connection' | 'organization_id' | 'actor' | 'now'>,
  base_url: string,
): Promise<(stored: StoredForm) => ShownForm> {
  const { slug } = await organizationById(reader.connection, reader.organization_id);
  return (stored) => {
    const { form, settings, counts } = stored;
    return {
      ...form,
      accepting: acceptingOf(form, settings, counts, reader.now),
      ...counts,
      public_url: `${base_url}/f/${slug}/${form.slug}`,
      available_actions: actionsFor(stored, reader.actor),
    };
  };
}
