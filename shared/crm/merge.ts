import { z } from 'zod';
import { type Failure, invalid, unknownReference } from '../kernel/failure.ts';
import type { Prefix } from '../kernel/id.ts';
import { id } from '../kernel/schema.ts';
import type { Table, Work } from '../kernel/work.ts';
import { ALIASES } from './aliases.ts';
import type { TaggedKind } from './tags/queries.ts';
import type { TagLabel } from './tags/record.ts';

/** The body of a merge: which record goes, and for single fields the ID of the record to take them from. */
export function mergeInput(prefix: Prefix) {
  return z.strictObject({
    loser_id: id(prefix),
    fields: z
      .record(z.string(), id(prefix))
      .default({})
      .describe('By field the ID to take it from; empty fields are filled without it.')
      .meta({ examples: [{ phone: `${prefix}_01kaj2n5w5fq8b4m0g3v7x9rtc` }] }),
    dry_run: z.boolean().default(false).describe('true answers what would happen and writes nothing.'),
  });
}

export type MergeInput = z.output<ReturnType<typeof mergeInput>>;

/** What goes over from the loser to the survivor. */
export const Moved = z
  .strictObject({
    deals: z.int(),
    activities: z.int(),
    contacts: z.int(),
    tags: z.int(),
    documents: z.int(),
  })
  .meta({ id: 'Moved' });

export type Moved = z.output<typeof Moved>;

/** The sum of counts by kind. */
export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Locks both records in one order, so that two opposite merges wait for each other. Errors: `unknown_reference`. */
export async function lockPair(
  work: Work,
  table: Table,
  survivor_id: string,
  loser_id: string,
): Promise<void> {
  if (survivor_id === loser_id) throw sameRecord();
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM "${table.tableName}" WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE`,
    [work.organization_id, [survivor_id, loser_id]],
  );
  const found = rows.map((row) => row.id);
  if (found.includes(survivor_id) && !found.includes(loser_id)) throw unknownReference('/loser_id', loser_id);
}

function sameRecord(): Failure {
  return invalid('/loser_id', 'same_record', {
    en: 'loser_id must be another record than the one it is merged into',
    ja: 'loser_id には統合先とは別のレコードを指定してください',
  });
}

/** The tags of both, in order of name. */
export function tagsTogether(survivor: readonly TagLabel[], loser: readonly TagLabel[]): TagLabel[] {
  const all = new Map([...survivor, ...loser].map((tag) => [tag.id, tag]));
  return [...all.values()].sort(
    (left, right) => compare(left.name, right.name) || compare(left.id, right.id),
  );
}

/** As the database orders text: by code point. */
function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Moves the loser's tags that the survivor lacks; the others go with the loser. */
export function moveTags(work: Work, kind: TaggedKind, survivor_id: string, loser_id: string): void {
  work.run(
    `UPDATE crm_tag_assignments AS assignment SET ${kind}_id = $3
      WHERE organization_id = $1 AND ${kind}_id = $2 AND NOT EXISTS (
        SELECT FROM crm_tag_assignments AS other
         WHERE other.organization_id = $1 AND other.tag_id = assignment.tag_id AND other.${kind}_id = $3)`,
    [work.organization_id, loser_id, survivor_id],
  );
}

/** Leaves the loser's ID, and those that led to it before, leading to the survivor. */
export function leaveAlias(
  work: Work,
  kind: 'company' | 'contact',
  survivor_id: string,
  loser_id: string,
): void {
  work.run(`UPDATE crm_aliases SET ${kind}_id = $3 WHERE organization_id = $1 AND ${kind}_id = $2`, [
    work.organization_id,
    loser_id,
    survivor_id,
  ]);
  work.insert(ALIASES, { id: loser_id, [`${kind}_id`]: survivor_id, created_at: work.now.toISOString() });
}

export const companyMergeInput = mergeInput('comp').meta({ id: 'CompanyMerge' });
export const contactMergeInput = mergeInput('cont').meta({ id: 'ContactMerge' });
