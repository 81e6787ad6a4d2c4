import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { foldCase } from '../../platform/search/normalise.ts';
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

/** Changes the fields sent; the records that carry the tag do not count as changed. Errors: `not_found`, `already_exists`. */
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

/** Removes a tag from all records that carry it, and itself. Errors: `not_found`. */
export async function deleteTag(work: Work, id: string): Promise<void> {
  const before = await lockTag(work, id);
  work.precondition(before);
  work.remove(TagModel, id);
  work.record(tagFacts.deleted, { before, after: null });
}
