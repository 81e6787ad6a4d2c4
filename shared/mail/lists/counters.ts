import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';

/** By how much the counts of a list change. */
export type CountChange = { list_id: string; contacts: number; active: number };

/**
 * Locks lists in the order that everybody does, by ID, after the contacts; those that exist. What was read of a
 * list's members before may have changed with its deletion alone.
 */
export async function lockMailLists(work: Work, list_ids: readonly string[]): Promise<string[]> {
  if (list_ids.length === 0) return [];
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM mail_lists WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, list_ids],
  );
  return rows.map(({ id }) => id);
}

/** Changes the counts of locked lists; they are not a change of the list itself. */
export function changeCounts(work: Work, changes: readonly CountChange[]): void {
  for (const { list_id, contacts, active } of changes) {
    if (contacts === 0 && active === 0) continue;
    work.run(
      `UPDATE mail_lists SET contact_count = contact_count + $3, active_count = active_count + $4
        WHERE organization_id = $1 AND id = $2`,
      [work.organization_id, list_id, contacts, active],
    );
  }
}

/** The lists that a locked contact is in, locked as by `lockMailLists`, and whether the person has left each. */
async function lockListsOf(work: Work, contact_id: string): Promise<{ list_id: string; hasLeft: boolean }[]> {
  return work.connection.query(
    `SELECT list.id AS list_id, member.unsubscribed_at IS NOT NULL AS "hasLeft"
       FROM mail_list_members AS member
       JOIN mail_lists AS list ON list.organization_id = member.organization_id AND list.id = member.list_id
      WHERE member.organization_id = $1 AND member.contact_id = $2 ORDER BY list.id FOR NO KEY UPDATE OF list`,
    [work.organization_id, contact_id],
  );
}

/** Counts a locked contact in or out of the active ones of its lists; with `isRemoved` out of all. */
export async function countContact(
  work: Work,
  contact_id: string,
  { wasActive, isActive, isRemoved = false }: { wasActive: boolean; isActive: boolean; isRemoved?: boolean },
): Promise<void> {
  if (wasActive === isActive && !isRemoved) return;
  const memberships = await lockListsOf(work, contact_id);
  const active = Number(isActive) - Number(wasActive);
  changeCounts(
    work,
    memberships.map(({ list_id, hasLeft }) => ({
      list_id,
      contacts: isRemoved ? -1 : 0,
      active: hasLeft ? 0 : active,
    })),
  );
}
