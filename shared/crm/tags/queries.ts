import { pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Tag, type TagLabel, TagModel, tagKind } from './record.ts';

export type TaggedKind = 'company' | 'contact' | 'deal';

/** For more records than a list shows the plan is made anew: a kept one may be from when the tables were empty. */
const MOST_OF_A_PAGE = 200;

/** The tags of many records in one query, by record ID and in order of name. */
export async function tagsOf(
  reader: Reader,
  kind: TaggedKind,
  ids: readonly string[],
): Promise<(id: string) => TagLabel[]> {
  if (ids.length === 0) return () => [];
  const rows = await reader.connection.query<TagLabel & { record_id: string }>(
    `SELECT assignment.${kind}_id AS record_id, tag.id, tag.name, tag.color
       FROM crm_tag_assignments AS assignment
       JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = assignment.tag_id
      WHERE assignment.organization_id = $1 AND assignment.${kind}_id = ${oneOf('$2')}
      ORDER BY tag.name, tag.id`,
    [reader.organization_id, ids],
    { prepared: ids.length <= MOST_OF_A_PAGE },
  );
  const byRecord = Map.groupBy(rows, ({ record_id }) => record_id);
  return (id) => (byRecord.get(id) ?? []).map(({ id: tag_id, name, color }) => ({ id: tag_id, name, color }));
}

const columns = ['id', 'name', 'color', 'external_id', 'metadata', 'created_at', 'updated_at'] as const;

export type TagRow = Omit<Tag, 'object' | 'usage_count'>;

/** A row as the API shows it. */
export function tagOf(row: TagRow, usage_count: number): Tag {
  const { id, ...rest } = row;
  return { id, object: 'crm.tag', ...rest, usage_count };
}

/** How many records carry each of the tags; counted when asked for, so that assigning one locks no tag. */
async function usageOf(reader: Reader, ids: readonly string[]): Promise<(id: string) => number> {
  if (ids.length === 0) return () => 0;
  const rows = await reader.connection.query<{ tag_id: string; count: number }>(
    `SELECT tag_id, count(*) FROM crm_tag_assignments
      WHERE organization_id = $1 AND tag_id = ${oneOf('$2')} GROUP BY tag_id`,
    [reader.organization_id, ids],
  );
  const counts = new Map(rows.map(({ tag_id, count }) => [tag_id, count]));
  return (id) => counts.get(id) ?? 0;
}

const BY_ID = `SELECT ${columns.join(', ')} FROM crm_tags WHERE organization_id = $1 AND id = $2`;

/** One tag. Errors: `not_found`. */
export async function tagById(reader: Reader, id: string): Promise<Tag> {
  return readTag(reader, BY_ID, id);
}

/**
 * The same, its row locked until the work commits; for a removal no record can get it meanwhile. Errors: `not_found`.
 */
export async function lockTag(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<Tag> {
  return readTag(reader, `${BY_ID} ${purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE'}`, id);
}

async function readTag(reader: Reader, text: string, id: string): Promise<Tag> {
  const [[row], usage] = await Promise.all([
    reader.connection.query<TagRow>(text, [reader.organization_id, id]),
    usageOf(reader, [id]),
  ]);
  if (!row) throw notFound();
  return tagOf(row, usage(id));
}

/** A window of the organization's tags. */
export async function tagPage(reader: Reader, asked: LookUps, window: Window): Promise<Page<Tag>> {
  const page = await pageOf<TagRow>(reader, {
    query: TagModel.table(reader),
    table: TagModel.tableName,
    columns,
    prefix: 'tag',
    look_ups: { kind: tagKind, asked },
    sorts: { name: 'name_key' },
    window,
  });
  const ids = page.rows.map(({ id }) => id);
  const usage = await usageOf(reader, ids);
  return { ...page, rows: page.rows.map((row) => tagOf(row, usage(row.id))) };
}
