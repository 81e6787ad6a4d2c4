import { database } from '../bare-server.ts';
import { partsOf } from './page.ts';

/** The tags of records of the CRM. */
export async function tagsOf(
  kind: 'company' | 'contact' | 'deal',
  organization_id: string,
  ids: readonly string[],
) {
  const tags = await database('crm_tag_assignments as assignment')
    .join('crm_tags as tag', (join) =>
      join.on('tag.organization_id', 'assignment.organization_id').on('tag.id', 'assignment.tag_id'),
    )
    .where('assignment.organization_id', organization_id)
    .whereIn(`assignment.${kind}_id`, ids)
    .orderBy(['tag.name', 'tag.id'])
    .select(`assignment.${kind}_id as record_id`, 'tag.id', 'tag.name', 'tag.color');
  return partsOf(tags, 'record_id');
}
