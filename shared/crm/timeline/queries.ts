import { Failure } from '../../kernel/failure.ts';
import { firstIdOf, isId, timeOfId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import type { TimelineEntry, TimelinePlace, TimelineSource } from '../../platform/timeline.ts';
import { type ActivityRow, activityColumns, activityOf } from '../activities/queries.ts';

export type Subject = { kind: 'company' | 'contact' | 'deal'; id: string };

/**
 * What happened to a record, the latest first: activities and changes of its own, and of the deals of a company or
 * contact their activities and stages, and the items of other domains that the reader may see. Each source is read from
 * its index no further than the page reaches. The history of a record that was merged into another stands in that of the
 * survivor, that of a deleted one stays. Errors: `invalid_cursor`.
 */
export async function timelinePage(
  reader: Reader,
  subject: Subject,
  { limit, starting_after }: { limit: number; starting_after?: string },
  sources: readonly TimelineSource[],
): Promise<{ data: TimelineEntry[]; has_more: boolean }> {
  const { connection, organization_id } = reader;
  const until = await placeOf(reader, starting_after, sources);
  const [activities, changes, added] = await Promise.all([
    connection.query<ActivityRow>(activitiesOf(subject), [
      organization_id,
      subject.id,
      limit + 1,
      until.occurred_at,
      until.id,
    ]),
    connection.query<ChangeRow>(changesOf(subject), [organization_id, subject.id, limit + 1, until.audit_id]),
    addedItems(reader, subject, { limit: limit + 1, ...until }, sources),
  ]);
  const items = [...activities.map(activityItem), ...changes.map(changeItem), ...added].sort(latestFirst);
  return { data: items.slice(0, limit), has_more: items.length > limit };
}

type ChangeRow = {
  id: string;
  entity_type: string;
  entity_id: string;
  action: 'create' | 'update' | 'delete';
  actor_type: TimelineEntry['actor']['type'];
  actor_id: string;
  changes: Record<string, [unknown, unknown]>;
  created_at: string;
};

function activityItem(row: ActivityRow): TimelineEntry {
  const { id, occurred_at, created_by } = row;
  const actor = { type: created_by ? ('user' as const) : ('system' as const), id: created_by };
  return { type: 'activity', id, occurred_at, actor, data: activityOf(row) };
}

function changeItem(row: ChangeRow): TimelineEntry {
  const { id, entity_type, entity_id, action, changes, created_at } = row;
  return {
    type: action === 'update' && 'stage_id' in changes ? 'stage_change' : 'field_change',
    id,
    occurred_at: created_at,
    actor: { type: row.actor_type, id: row.actor_id },
    data: { entity_type, entity_id, action, changes },
  };
}

function latestFirst(left: TimelineEntry, right: TimelineEntry): number {
  if (left.occurred_at !== right.occurred_at) return left.occurred_at < right.occurred_at ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

const FROM_THE_TOP: TimelinePlace = { occurred_at: 'infinity', id: '', audit_id: 'aud_~' };

/** An ID may name a later time, which has more digits of the year than PostgreSQL reads. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Where a cursor stands. Errors: `invalid_cursor`. */
async function placeOf(
  reader: Reader,
  cursor: string | undefined,
  sources: readonly TimelineSource[],
): Promise<TimelinePlace> {
  if (cursor === undefined) return FROM_THE_TOP;
  if (isId(cursor, 'aud')) {
    const at = Math.min(timeOfId(cursor).getTime(), LATEST);
    return { occurred_at: new Date(at).toISOString(), id: cursor, audit_id: cursor };
  }
  const occurred_at = await timeOfItem(reader, cursor, sources);
  if (occurred_at === null) {
    throw new Failure('invalid_cursor', {
      detail: {
        en: `${cursor} is gone; start again from the first page`,
        ja: `${cursor} は削除されています。最初のページから取得し直してください`,
      },
    });
  }
  return { occurred_at, id: cursor, audit_id: auditAfter(cursor, occurred_at) };
}

/** Items of one instant stand by ID, so the audit entries of a millisecond come before its activities and after its mails. */
function auditAfter(cursor: string, occurred_at: string): string {
  const at = Date.parse(occurred_at);
  return firstIdOf('aud', new Date(cursor > 'aud_' ? at + 1 : at));
}

/** When the item of a cursor happened that is no audit entry; null where it is gone. Errors: `invalid_cursor`. */
async function timeOfItem(
  reader: Reader,
  cursor: string,
  sources: readonly TimelineSource[],
): Promise<string | null> {
  if (!isId(cursor, 'act')) {
    for (const source of sources) {
      const time = source.timeOf?.(reader, cursor);
      if (time !== undefined) return time;
    }
    throw new Failure('invalid_cursor', {
      detail: {
        en: 'starting_after must be the id of an item of a timeline',
        ja: 'starting_after にはタイムラインの項目のIDを指定してください',
      },
    });
  }
  const [activity] = await reader.connection.query<{ occurred_at: string }>(
    'SELECT occurred_at FROM crm_activities WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, cursor],
  );
  return activity?.occurred_at ?? null;
}

function activitiesOf({ kind }: Subject): string {
  const columns = activityColumns.join(', ');
  const latest = (column: string, owner: string) => `
    SELECT activity.* FROM ${owner} AS owner CROSS JOIN LATERAL (
      SELECT ${columns} FROM crm_activities
       WHERE organization_id = $1 AND ${column} = owner.id AND (occurred_at, id) < ($4::timestamptz, $5)
       ORDER BY occurred_at DESC, id DESC LIMIT $3
    ) AS activity`;
  return `
    WITH ${SUBJECTS[kind]}
    SELECT * FROM (
      ${latest(`${kind}_id`, 'subjects')} UNION ${latest('deal_id', 'deals')}
    ) AS activity
    ORDER BY occurred_at DESC, id DESC LIMIT $3`;
}

function changesOf({ kind }: Subject): string {
  const latest = (owner: string, condition: string) => `
    SELECT entry.* FROM ${owner} AS owner CROSS JOIN LATERAL (
      SELECT id, entity_type, entity_id, action, actor_type, actor_id, changes, created_at FROM audit_logs
       WHERE organization_id = $1 AND entity_id = owner.id AND id < $4 ${condition}
       ORDER BY id DESC LIMIT $3
    ) AS entry`;
  return `
    WITH ${SUBJECTS[kind]}
    SELECT * FROM (
      ${latest('subjects', '')} UNION ALL ${latest('deals', `AND action = 'update' AND changes->'stage_id' IS NOT NULL`)}
    ) AS entry
    ORDER BY id DESC LIMIT $3`;
}

/** The items of other domains, less those of sources whose scope the reader lacks. */
async function addedItems(
  reader: Reader,
  { kind, id }: Subject,
  window: { limit: number } & TimelinePlace,
  sources: readonly TimelineSource[],
): Promise<TimelineEntry[]> {
  const table = TABLES[kind];
  const visible = sources.filter(({ of, scope }) => of.includes(table) && allows(reader.actor.grants, scope));
  const items = visible.map((source) => source.items(reader, { table, id }, window));
  return (await Promise.all(items)).flat();
}

const TABLES = { company: 'crm_companies', contact: 'crm_contacts', deal: 'crm_deals' };

/** `$2` and what was merged into it; and its deals, where it is not a deal itself. */
const SUBJECTS = {
  deal: 'subjects AS (SELECT $2 AS id), deals AS (SELECT NULL AS id WHERE false)',
  company: withAliases(
    'company_id',
    'SELECT id FROM crm_deals WHERE organization_id = $1 AND company_id = (SELECT id FROM survivor)',
  ),
  contact: withAliases(
    'contact_id',
    `SELECT deal_id AS id FROM crm_deal_contacts
      WHERE organization_id = $1 AND contact_id = (SELECT id FROM survivor)`,
  ),
};

function withAliases(column: string, deals: string): string {
  return `
    survivor AS (
      SELECT coalesce((SELECT ${column} FROM crm_aliases WHERE organization_id = $1 AND id = $2), $2) AS id
    ),
    subjects AS (
      SELECT id FROM survivor
      UNION ALL
      SELECT id FROM crm_aliases WHERE organization_id = $1 AND ${column} = (SELECT id FROM survivor)
    ),
    deals AS (${deals})`;
}
