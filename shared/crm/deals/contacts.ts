import { oneOf } from '../../db/one-of.ts';
import { invalidAll, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';

const DEAL_CONTACTS = { tableName: 'crm_deal_contacts' };

/** Errors: `validation_failed` for a contact named twice, `unknown_reference`; both at /contact_ids/<n>. */
export async function requireContacts(work: Work, ids: readonly string[] | undefined): Promise<void> {
  if (!ids || ids.length === 0) return;
  const faults = ids.flatMap((id, place) =>
    ids.indexOf(id) === place
      ? []
      : [
          {
            in: 'body' as const,
            path: `/contact_ids/${place}`,
            code: 'duplicate',
            message: {
              en: `contact_ids.${place} names a contact again`,
              ja: `contact_ids.${place} の担当者が重複しています`,
            },
          },
        ],
  );
  if (faults.length > 0) throw invalidAll(faults);
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM crm_contacts WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [work.organization_id, ids],
  );
  const found = new Set(rows.map(({ id }) => id));
  const lost = ids.findIndex((id) => !found.has(id));
  if (lost >= 0) throw unknownReference(`/contact_ids/${lost}`, ids[lost]!);
}

/** Links a deal to its contacts in their order. */
export function linkContacts(work: Work, deal_id: string, contact_ids: readonly string[]): void {
  const rows = contact_ids.map((contact_id, sort_order) => ({ deal_id, contact_id, sort_order }));
  work.insertAll(DEAL_CONTACTS, rows);
}

/** Links a deal to these contacts instead of those before. */
export function relinkContacts(work: Work, deal_id: string, contact_ids: readonly string[]): void {
  work.run('DELETE FROM crm_deal_contacts WHERE organization_id = $1 AND deal_id = $2', [
    work.organization_id,
    deal_id,
  ]);
  linkContacts(work, deal_id, contact_ids);
}
