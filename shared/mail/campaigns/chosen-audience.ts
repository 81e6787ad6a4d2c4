import { oneOf } from '../../db/one-of.ts';
import type { FieldError } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { SegmentFilter } from '../segments/filter.ts';
import { requireLinkedRights } from '../segments/rights.ts';
import { noAudience, removed } from './faults.ts';
import type { Campaign } from './record.ts';

type Choosing = Pick<Campaign, 'list_ids' | 'exclude_list_ids' | 'segment_id'>;

/** The filter of a campaign's segment, and what is wrong with whom it was made for. */
type Chosen = { filter: SegmentFilter | null; faults: FieldError[] };

/**
 * Reads the lists and the segment of a campaign, which a draft may have lost, and holds them where asked: lists before the
 * segment. Errors: `insufficient_scope` for fields of the CRM.
 */
export async function chosenAudience(
  { connection, organization_id, actor }: Reader,
  { list_ids, exclude_list_ids, segment_id }: Choosing,
  lock: '' | 'FOR KEY SHARE',
): Promise<Chosen> {
  if (list_ids.length === 0 && segment_id === null) return { filter: null, faults: [noAudience()] };
  const named = [
    ...list_ids.map((id, index) => ({ id, path: `/list_ids/${index}` })),
    ...exclude_list_ids.map((id, index) => ({ id, path: `/exclude_list_ids/${index}` })),
  ];
  const lists = await connection.query<{ id: string }>(
    `SELECT id FROM mail_lists WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id ${lock}`,
    [organization_id, named.map(({ id }) => id)],
  );
  const there = new Set(lists.map(({ id }) => id));
  const faults = named.filter(({ id }) => !there.has(id)).map(removed);
  if (segment_id === null) return { filter: null, faults };
  const [segment] = await connection.query<{ filter: SegmentFilter }>(
    `SELECT filter FROM mail_segments WHERE organization_id = $1 AND id = $2 ${lock}`,
    [organization_id, segment_id],
  );
  if (!segment)
    return { filter: null, faults: [...faults, removed({ id: segment_id, path: '/segment_id' })] };
  requireLinkedRights(actor, segment.filter);
  return { filter: segment.filter, faults };
}
