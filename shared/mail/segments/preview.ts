import { z } from 'zod';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id } from '../../kernel/schema.ts';
import { mailContactsByIds } from '../contacts/queries.ts';
import { MailContact } from '../contacts/record.ts';
import { MailWarning } from '../content/warnings.ts';
import { compileFilter } from './compile.ts';
import { segmentFilter } from './filter.ts';
import { requireLinkedRights } from './rights.ts';
import { warningsOfFilter } from './warnings.ts';

/** Contacts that are shown of those that a filter finds: the newest. */
const SAMPLE = 20;

export const SegmentPreviewInput = z
  .strictObject({
    filter: segmentFilter(),
    list_ids: z.array(id('mlist')).max(20).default([]).describe('Only contacts in any of them.'),
  })
  .meta({ id: 'MailSegmentPreviewInput' });

export type SegmentPreviewInput = z.output<typeof SegmentPreviewInput>;

export const SegmentPreview = z
  .strictObject({
    contact_count: z.int().describe('Those who may not be mailed are counted too.'),
    sample: z.array(MailContact).describe(`The ${SAMPLE} newest of them.`),
    warnings: z
      .array(MailWarning)
      .describe('`filter_matches_everybody`: no condition leaves anybody out.')
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'MailSegmentPreview' });

export type SegmentPreview = z.output<typeof SegmentPreview>;

/** Whom a filter finds now. Errors: `unknown_reference` at /list_ids, `insufficient_scope`. */
export async function previewSegment(
  reader: Reader,
  { filter, list_ids }: SegmentPreviewInput,
): Promise<SegmentPreview> {
  requireLinkedRights(reader.actor, filter);
  const { connection, organization_id, now } = reader;
  const values: unknown[] = [organization_id, list_ids];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const matches = compileFilter(filter, bind, now);
  const inLists =
    list_ids.length === 0
      ? '$2::text[] IS NOT NULL'
      : `EXISTS (SELECT FROM mail_list_members AS member WHERE member.organization_id = $1
           AND member.contact_id = contact.id AND member.list_id = ANY ($2))`;
  const [known, found] = await Promise.all([
    connection.query<{ id: string }>(
      'SELECT id FROM mail_lists WHERE organization_id = $1 AND id = ANY ($2)',
      [organization_id, list_ids],
    ),
    connection.query<{ count: number; ids: string[] }>(
      `WITH matched AS MATERIALIZED (
         SELECT contact.id FROM mail_contacts AS contact
          WHERE contact.organization_id = $1 AND ${inLists} AND ${matches})
       SELECT count(*)::int AS count,
              ARRAY(SELECT id FROM matched ORDER BY id DESC LIMIT ${SAMPLE}) AS ids FROM matched`,
      values,
      { prepared: false },
    ),
  ]);
  const there = new Set(known.map((list) => list.id));
  const missing = list_ids.findIndex((list_id) => !there.has(list_id));
  if (missing >= 0) throw unknownReference(`/list_ids/${missing}`, list_ids[missing]!);
  const [{ count, ids }] = found as [{ count: number; ids: string[] }];
  return {
    contact_count: count,
    sample: await mailContactsByIds(reader, ids),
    warnings: warningsOfFilter(filter, { path: '/filter', in_lists: list_ids.length > 0 }),
  };
}
