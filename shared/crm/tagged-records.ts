import type { Fact, Resource } from '../kernel/fact.ts';
import type { Table, Work } from '../kernel/work.ts';
import { type CompanyRow, companyColumns, companyOf } from './companies/queries.ts';
import { CompanyModel, companyFacts } from './companies/record.ts';
import { type ContactRow, contactColumns, contactOf } from './contacts/queries.ts';
import { ContactModel, contactFacts } from './contacts/record.ts';
import { dealFacts } from './deals/facts.ts';
import { DealModel } from './deals/record.ts';
import { type DealRow, dealColumns, dealsOf } from './deals/rows.ts';
import { type TaggedKind, tagsOf } from './tags/queries.ts';
import type { TagLabel } from './tags/record.ts';

/** A record as the API shows it, of a kind that carries tags. */
export type TaggedRecord = Resource & { tags: TagLabel[]; updated_at: string };

type Kind = {
  table: Table;
  columns: readonly string[];
  updated: Fact;
  /** The rows as the API shows them. */
  shown(work: Work, rows: readonly { id: string }[]): Promise<TaggedRecord[]>;
};

/** In the order in which operations lock the kinds. */
const kinds: Record<TaggedKind, Kind> = {
  deal: {
    table: DealModel,
    columns: dealColumns,
    updated: dealFacts.updated,
    shown: (work, rows) => dealsOf(work, rows as DealRow[]),
  },
  company: {
    table: CompanyModel,
    columns: companyColumns,
    updated: companyFacts.updated,
    async shown(work, rows) {
      const tags = await tagsOf(work, 'company', idsOf(rows));
      return (rows as CompanyRow[]).map((row) => companyOf(row, tags(row.id)));
    },
  },
  contact: {
    table: ContactModel,
    columns: contactColumns,
    updated: contactFacts.updated,
    async shown(work, rows) {
      const tags = await tagsOf(work, 'contact', idsOf(rows));
      return (rows as ContactRow[]).map((row) => contactOf(row, tags(row.id)));
    },
  },
};

export const taggedKinds = Object.keys(kinds) as readonly TaggedKind[];

/** One record, its row locked until the work commits; null where there is none. */
export async function lockTagged(work: Work, kind: TaggedKind, id: string): Promise<TaggedRecord | null> {
  const [record] = await lockWhere(work, kind, 'id = $2', [id]);
  return record ?? null;
}

/** Up to `most` of the records that carry a tag, in the order of their IDs, locked. */
export function lockCarriers(
  work: Work,
  kind: TaggedKind,
  tag_id: string,
  most: number,
): Promise<TaggedRecord[]> {
  const carrying = `SELECT ${kind}_id FROM crm_tag_assignments
                     WHERE organization_id = $1 AND tag_id = $2 AND ${kind}_id IS NOT NULL`;
  return lockWhere(work, kind, `id IN (${carrying} ORDER BY ${kind}_id LIMIT $3)`, [tag_id, most]);
}

async function lockWhere(
  work: Work,
  kind: TaggedKind,
  condition: string,
  values: readonly unknown[],
): Promise<TaggedRecord[]> {
  const { table, columns, shown } = kinds[kind];
  const rows = await work.connection.query<{ id: string }>(
    `SELECT ${columns.join(', ')} FROM ${table.tableName}
      WHERE organization_id = $1 AND ${condition} ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ...values],
  );
  return shown(work, rows);
}

/** Says that records have other tags now: each of them changed. The assignments are for the caller to write. */
export function recordTags(
  work: Work,
  kind: TaggedKind,
  records: readonly TaggedRecord[],
  change: (tags: readonly TagLabel[]) => TagLabel[],
): void {
  const { table, updated } = kinds[kind];
  const changed = records.map((before) => ({
    before,
    after: { ...before, tags: change(before.tags), updated_at: work.touch(before) },
  }));
  work.updateAll(
    table,
    changed.map(({ after: { id, updated_at } }) => ({ id, updated_at })),
  );
  for (const { before, after } of changed) work.record(updated, { before, after });
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
