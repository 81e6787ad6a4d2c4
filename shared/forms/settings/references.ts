import { oneOf } from '../../db/one-of.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import { MAILING_LIST } from './mailing-list.ts';
import type { KeptSettings } from './record.ts';

type Referring = Pick<KeptSettings, 'crm' | 'mailing_list'>;

/**
 * Sees that what changed settings name in other domains is there: tags, the owner of contacts, the mailing list. A tag or
 * list that is removed later is passed over when somebody submits. Errors: `unknown_reference`.
 */
export async function requireReferences(work: Work, before: Referring, after: Referring): Promise<void> {
  const { crm, mailing_list } = after;
  if (crm.owner_id !== before.crm.owner_id) await requireMember(work, crm.owner_id, '/crm/owner_id');
  const added = crm.tag_ids.filter((id) => !before.crm.tag_ids.includes(id));
  await requireAll(work, 'crm_tags', added, (id) => `/crm/tag_ids/${crm.tag_ids.indexOf(id)}`);
  if (mailing_list && mailing_list.list_id !== before.mailing_list?.list_id) {
    // The list may be removed at this moment: then there is none.
    work.repeatOn(MAILING_LIST);
    await requireAll(work, 'mail_lists', [mailing_list.list_id], () => '/mailing_list/list_id');
  }
}

async function requireAll(
  { connection, organization_id }: Work,
  table: 'crm_tags' | 'mail_lists',
  ids: readonly string[],
  placeOf: (id: string) => string,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [organization_id, ids],
  );
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw unknownReference(placeOf(missing), missing);
}
