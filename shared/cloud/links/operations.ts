import { retentionRules, retentionUntil, yearsKept } from '../../accounting/documents/retention.ts';
import { allYears } from '../../accounting/years/queries.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { FileRow } from '../items/model.ts';
import { managesAll } from '../permissions.ts';
import { askingOf } from '../tree/asking.ts';
import { latest } from '../tree/holds.ts';
import { type Place, requirePermission } from '../tree/place.ts';
import type { FileLink } from './queries.ts';
import { type LinkTarget, type LinkType, linkTargets } from './types.ts';

const keyOf = ({ type, id }: FileLink) => `${type} ${id}`;

/**
 * Gives a locked file the records that it belongs to. One to a record of the books, or to a signed document, holds it until
 * the day that this says by now, also when the link is gone: who sets or removes such a link manages the folder. Errors:
 * `unknown_reference`, `folder_permission`.
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
  const holds = await holdsOf(work, [...wanted, ...removed]);
  requireThere(holds, added, links);
  if ([...added, ...removed].some((link) => isHolding(link, holds))) {
    requirePermission(place.permission, 'manager');
  }
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
  return { links: sorted, held_until: latest(wanted.map((link) => holds.get(keyOf(link))?.until ?? null)) };
}

/** Whether a link to a record holds a file: who sets or removes one manages the folder. */
export async function holdsFiles(work: Work, link: FileLink): Promise<boolean> {
  return isHolding(link, await holdsOf(work, [link]));
}

/** By the key of a link whose record is there, the day until which that holds a file, and whether the caller sees it. */
type Holds = ReadonlyMap<string, { until: string | null; is_seen: boolean }>;

/** One to a record of the books holds, also when that is gone; and perhaps one that a newer release has made beside this one. */
function isHolding(link: FileLink, holds: Holds): boolean {
  const target: LinkTarget | undefined = linkTargets[link.type];
  return target === undefined || 'holds_by' in target || (holds.get(keyOf(link))?.until ?? null) !== null;
}

/** Errors: `unknown_reference` for a link that is added to a record which is not there, or that the caller does not see. */
function requireThere(holds: Holds, added: readonly FileLink[], sent: readonly FileLink[]): void {
  const missing = added.find((link) => !holds.get(keyOf(link))?.is_seen);
  if (!missing) return;
  const index = sent.findIndex((link) => keyOf(link) === keyOf(missing));
  throw unknownReference(`/links/${index}/id`, missing.id);
}

type HoldRow = { id: string; by: string | null; until: string | null; is_seen: boolean; created_at: string };

/** How long the records of links hold; they are locked against their removal. */
async function holdsOf(work: Work, links: readonly FileLink[]): Promise<Holds> {
  const known = links.filter(({ type }) => type in linkTargets);
  const byType = Map.groupBy(known, ({ type }) => type);
  const found: (FileLink & HoldRow)[] = [];
  for (const [type, some] of byType) {
    const ids = some.map(({ id }) => id);
    found.push(...(await recordsOf(work, type, ids)).map((row) => ({ ...row, type })));
  }
  const isCounted = found.some(({ by }) => by !== null);
  const [years, retention] = isCounted ? await Promise.all([allYears(work), retentionRules(work)]) : [[], []];
  const untilOf = ({ by, until, created_at }: HoldRow) =>
    by === null ? until : retentionUntil(years, by, yearsKept(retention, created_at));
  return new Map(found.map((row) => [keyOf(row), { until: untilOf(row), is_seen: row.is_seen }]));
}

function recordsOf(work: Work, type: LinkType, ids: readonly string[]): Promise<HoldRow[]> {
  const { table, kind, is_there, seen_by, holds_by, holds_until }: LinkTarget = linkTargets[type];
  const isLimited = seen_by !== undefined && !managesAll(askingOf(work));
  return work.connection.query<HoldRow>(
    `SELECT id, ${holds_by ?? 'NULL'} AS by, ${holds_until ?? 'NULL'} AS until, created_at,
            coalesce(${isLimited ? seen_by : 'true'}, false) AS is_seen
       FROM "${table}"
      WHERE organization_id = $1 AND id = ANY ($2)
        ${kind ? `AND kind = '${kind}'` : ''} ${is_there ? `AND ${is_there}` : ''} ORDER BY id FOR KEY SHARE`,
    [work.organization_id, ids, ...(isLimited ? [work.actor.user_id] : [])],
  );
}
