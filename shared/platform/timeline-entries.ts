import { firstIdOf } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { TimelinePlace } from './timeline.ts';

/** Whose audit entries a timeline shows, and which of them. */
export type EntrySource = {
  /** The table of the records: read along its index by the column below and `updated_at`. */
  table: string;
  /** How its rows refer to the record with the timeline, as those of the aliases refer to the survivors of merged records. */
  column: string;
  /** The table that has the ID of each merged record with its survivor. */
  aliases: string;
  /** What is shown of a record, in SQL: columns of `record`, none of them called `id`. */
  record: string;
  /** What is shown of an entry beside its `id`, in SQL: columns of `audit_logs`. */
  entry: string;
  /** The entries that are shown, in SQL. */
  condition: string;
};

/** How many times as many records are looked at next, where the last ones did not fill the page. */
const GROWTH = 4;

/**
 * How long before its record was made an entry may be dated: it has the time at which its work began, and that work may have
 * waited for the one that made the record.
 */
const BEFORE_ITS_RECORD = '1 hour';

/**
 * The latest audit entries before a place, the latest first, of the records that refer to another; the ID of one that was merged
 * means its survivor. No entry is later than the last change of its record: so records are looked at by that, the latest first, until
 * no other can have an entry on the page, and of those changed after the place only what was there before it.
 */
export async function latestEntries<Shown extends { id: string }>(
  reader: Reader,
  source: EntrySource,
  subject_id: string,
  { limit, occurred_at, audit_id }: { limit: number } & Pick<TimelinePlace, 'occurred_at' | 'audit_id'>,
): Promise<Shown[]> {
  const text = statementOf(source);
  const found: Shown[] = [];
  let changed_since = occurred_at;
  let after = [occurred_at, '-infinity', ''];
  // One more than the page: where each has a single entry, the one behind it shows that the page is full.
  for (let count = limit + 1; ; count *= GROWTH) {
    const rows = await reader.connection.query<Shown & Reached>(text, [
      reader.organization_id,
      subject_id,
      limit,
      audit_id,
      changed_since,
      ...after,
      count,
    ]);
    found.push(...rows.filter(({ id }) => id !== null));
    found.sort((left, right) => (left.id < right.id ? 1 : -1)).splice(limit);
    const { reached, reached_key } = rows[0]!;
    if (reached === null || isAfter(found[limit - 1], reached)) return found;
    changed_since = 'infinity';
    after = reached_key;
  }
}

/** The last record that was looked at; null where there is no other. */
type Reached = { reached: string | null; reached_key: string[] };

/** Whether an entry is later than all of the records that changed at that time or before. */
function isAfter(entry: { id: string } | undefined, reached: string): boolean {
  return entry !== undefined && entry.id >= firstIdOf('aud', new Date(Date.parse(reached) + 1));
}

function statementOf({ table, column, aliases, record, entry, condition }: EntrySource): string {
  const owned = `organization_id = $1 AND ${column} = (SELECT id FROM survivor)`;
  return `
    WITH survivor AS (
      SELECT coalesce((SELECT ${column} FROM ${aliases} WHERE organization_id = $1 AND id = $2), $2) AS id
    ), earlier AS MATERIALIZED (
      SELECT updated_at, created_at, id FROM ${table}
       WHERE ${owned} AND (updated_at, created_at, id) < ($6::timestamptz, $7::timestamptz, $8)
       ORDER BY updated_at DESC, created_at DESC, id DESC LIMIT $9
    ), looked_at AS (
      SELECT id FROM ${table}
       WHERE ${owned} AND updated_at >= $5::timestamptz
         AND created_at <= $5::timestamptz + interval '${BEFORE_ITS_RECORD}'
       UNION ALL SELECT id FROM earlier
    ), reached AS (
      SELECT updated_at AS reached, ARRAY[updated_at::text, created_at::text, id] AS reached_key FROM earlier
       WHERE (SELECT count(*) FROM earlier) = $9 ORDER BY updated_at, created_at, id LIMIT 1
    ), found AS (
      SELECT looked_at.id AS record_id, entry.* FROM looked_at CROSS JOIN LATERAL (
        SELECT id, ${entry} FROM audit_logs
         WHERE organization_id = $1 AND entity_id = looked_at.id AND id < $4 AND ${condition}
         ORDER BY id DESC LIMIT $3
      ) AS entry
      ORDER BY entry.id DESC LIMIT $3
    ), shown AS (
      SELECT found.*, ${record} FROM found
        JOIN ${table} AS record ON record.organization_id = $1 AND record.id = found.record_id
    )
    SELECT shown.*, reached.* FROM (SELECT) AS one LEFT JOIN reached ON true LEFT JOIN shown ON true`;
}
