import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import { lockCarriers, recordTags, taggedKinds } from '../tagged-records.ts';
import { lockTag, type TagRow, tagOf } from './queries.ts';
import { type Tag, type TagInput, TagModel, type TagPatch, tagFacts } from './record.ts';

/** Makes a tag. Errors: `already_exists`. */
export function createTag(work: Work, input: TagInput): Tag {
  const row = newTagRow(work, input);
  const tag = tagOf(row, 0);
  work.insert(TagModel, { ...row, name_key: foldCase(input.name) });
  work.record(tagFacts.created, { before: null, after: tag });
  return tag;
}

/** The row of a tag that is about to be made, without what its name is compared by. */
export function newTagRow(work: Work, input: TagInput): TagRow {
  const created_at = work.now.toISOString();
  return {
    id: newId('tag', work.now),
    name: input.name,
    color: input.color,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at,
    updated_at: created_at,
  };
}

/** Changes the fields sent. The records that carry the tag do not change: they refer to it by its ID. Errors: `not_found`, `already_exists`. */
export async function updateTag(work: Work, id: string, patch: TagPatch): Promise<Tag> {
  const before = await lockTag(work, id);
  work.precondition(before);
  const metadata = metadataAfter(before.metadata, patch.metadata);
  const changed: Tag = { ...before, ...patch, metadata };
  if (work.isSame(tagFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { name, color, external_id, updated_at } = after;
  const columns = { name, name_key: foldCase(name), color, external_id, metadata, updated_at };
  work.update(TagModel, id, columns);
  work.record(tagFacts.updated, { before, after });
  return after;
}

/**
 * Removes a tag from all records that carry it, each of which changes, and itself. The tag is held first, so that none
 * gets it meanwhile; a merge may still hand it on, so each batch is looked for anew. Errors: `not_found`.
 */
export async function deleteTag(work: Work, id: string): Promise<void> {
  const before = await lockTag(work, id, 'removal');
  work.precondition(before);
  for (const kind of taggedKinds) {
    for (;;) {
      const carriers = await lockCarriers(work, kind, id, FACTS_TOGETHER);
      if (carriers.length === 0) break;
      recordTags(work, kind, carriers, (tags) => tags.filter((tag) => tag.id !== id));
      work.run(
        `DELETE FROM crm_tag_assignments WHERE organization_id = $1 AND tag_id = $2 AND ${kind}_id = ANY ($3)`,
        [work.organization_id, id, carriers.map((carrier) => carrier.id)],
      );
      await work.flushFacts();
    }
  }
  work.remove(TagModel, id);
  work.record(tagFacts.deleted, { before, after: null });
}
