import type { Reader } from '../../kernel/reader.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import type { EventType, ShownEventType } from './record.ts';

/** Tells of event types the address of their pages, which the organization's slug is a part of. */
export async function withAddress(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  base_url: string,
): Promise<(type: EventType) => ShownEventType> {
  const { slug } = await organizationById(connection, organization_id);
  return (type) => ({ ...type, url: `${base_url}/p/${slug}/${type.slug}` });
}
