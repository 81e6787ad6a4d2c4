import { retentionRules, retentionUntil, yearsKept } from '../../accounting/documents/retention.ts';
import { allYears } from '../../accounting/years/queries.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { FileRow } from '../items/model.ts';
import { latest } from '../tree/holds.ts';
import { type Place, requirePermission } from '../tree/place.ts';
import type { FileLink } from './queries.ts';
import { type LinkTarget, linkTargets } from './types.ts';

const keyOf = ({ type, id }: FileLink) => `${type} ${id}`;

/**
 * Gives a locked file the records that it belongs to. One to a record of the books holds it, also when the link is gone:
 * who sets or removes such a link manages the folder. Errors: `unknown_reference`, `folder_permission`.
 */
export async function relink(
  work: Work,
  { row, place }: { row: Pick<FileRow, 'id'>; place: Place },
  before: readonly FileLink[],
  links: readonly FileLink[],
): Promise<{ links: FileLink[]; held_until: string | null }> {
  const wanted = [...new Map(links.map((link) => [keyOf(link), link])).values()];
  const had = new Set(before.map(keyOf));
  const keeps = new Set(wanted.map(keyOf));
  const added = wanted.filter((link) => !had.has(keyOf(link)));
  const removed = before.filter((link) => !keeps.has(keyOf(link)));
  if ([...added, ...removed].some(({ type }) => 'holds_by' in linkTargets[type])) {
    requirePermission(place.permission, 'manager');
  }
  const held = await holdsOf(work, added, links);
  for (const { type, id } of removed) {
    work.run(
      'DELETE FROM cloud_links WHERE organization_id = $1 AND file_id = $2 AND type = $3 AND id = $4',
      [work.organization_id, row.id, type, id],
    );
  }
  work.insertAll(
    { tableName: 'cloud_links' },
    added.map(({ type, id }) => ({ file_id: row.id, type, id })),
  );
  const sorted = wanted.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  return { links: sorted, held_until: held };
}

/** Sees that the records are there; answers the day until which they hold a file. Errors: `unknown_reference`. */
async function holdsOf(
  work: Work,
  added: readonly FileLink[],
  sent: readonly FileLink[],
): Promise<string | null> {
  const byType = Map.groupBy(added, ({ type }) => type);
  const days: string[] = [];
  for (const [type, links] of byType) {
    const { table, kind, holds_by }: LinkTarget = linkTargets[type];
    const rows = await work.connection.query<{ id: string; day: string | null }>(
      `SELECT id, ${holds_by ?? 'NULL'} AS day FROM "${table}"
        WHERE organization_id = $1 AND id = ANY ($2) ${kind ? `AND kind = '${kind}'` : ''} ORDER BY id FOR KEY SHARE`,
      [work.organization_id, links.map(({ id }) => id)],
    );
    const found = new Map(rows.map((row) => [row.id, row.day]));
    const missing = links.find(({ id }) => !found.has(id));
    if (missing) {
      const index = sent.findIndex((link) => keyOf(link) === keyOf(missing));
      throw unknownReference(`/links/${index}/id`, missing.id);
    }
    for (const day of found.values()) if (day !== null) days.push(day);
  }
  if (days.length === 0) return null;
  const [years, retention] = await Promise.all([allYears(work), retentionRules(work)]);
  const count = yearsKept(retention, work.now.toISOString());
  return latest(days.map((day) => retentionUntil(years, day, count)));
}
