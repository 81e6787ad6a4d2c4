import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import { refuseNamed } from '../campaigns/in-use.ts';
import { inStoredForm } from './filter.ts';
import { lockSegment } from './queries.ts';
import { type Segment, type SegmentInput, SegmentModel, type SegmentPatch, segmentFacts } from './record.ts';
import { requireLinkedRights } from './rights.ts';

/** Makes a segment. Errors: `already_exists`, `insufficient_scope` for fields of the CRM. */
export function createSegment(work: Work, input: SegmentInput): Segment {
  requireLinkedRights(work.actor, input.filter);
  const at = work.now.toISOString();
  const segment: Segment = {
    id: newId('mseg', work.now),
    object: 'mail.segment',
    name: input.name,
    filter: inStoredForm(input.filter),
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  const { object, ...columns } = segment;
  work.insert(SegmentModel, { ...columns, name_key: foldCase(segment.name) });
  work.record(segmentFacts.created, { before: null, after: segment });
  return segment;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `already_exists`, `insufficient_scope`. */
export async function updateSegment(work: Work, id: string, patch: SegmentPatch): Promise<Segment> {
  const before = await lockSegment(work, id, 'change');
  work.precondition(before);
  if (patch.filter) requireLinkedRights(work.actor, patch.filter);
  const changed: Segment = {
    ...before,
    ...patch,
    filter: patch.filter ? inStoredForm(patch.filter) : before.filter,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(segmentFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { name, filter, external_id, metadata, updated_at } = after;
  const columns = { name, name_key: foldCase(name), filter, external_id, metadata, updated_at };
  work.update(SegmentModel, id, columns);
  work.record(segmentFacts.updated, { before, after });
  return after;
}

/** Removes a segment. Errors: `not_found`, `precondition_failed`, `in_use` by a campaign that is to begin. */
export async function deleteSegment(work: Work, id: string): Promise<void> {
  const before = await lockSegment(work, id, 'removal');
  work.precondition(before);
  await refuseNamed(work, 'segment', id);
  work.remove(SegmentModel, id);
  work.record(segmentFacts.deleted, { before, after: null });
}
