import { invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { pick, sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { lockPresentMember } from '../members/locks.ts';
import { ownerOf } from '../members/owner.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { lockBlock } from './queries.ts';
import {
  type Block,
  type BlockInput,
  BlockModel,
  type BlockPatch,
  blockColumns,
  blockFacts,
  blockOf,
} from './record.ts';

/**
 * Keeps time of a member from being booked; what is booked there stays. Errors: `not_owner`, `validation_failed`,
 * `unknown_reference`, `already_exists`, `unavailable`.
 */
export async function createBlock(work: Work, input: BlockInput): Promise<Block> {
  requireSpan(input);
  const user_id = ownerOf(work, input.user_id);
  await lockPresentMember(work, user_id);
  // Who books this member at the same moment sees the block, or is seen by it.
  await lockHosts(work, [user_id]);
  const at = work.now.toISOString();
  const block = blockOf({
    id: newId('cevt', work.now),
    user_id,
    start: input.start,
    end: input.end,
    title: input.title ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  });
  work.insert(BlockModel, { ...pick(block, blockColumns), created_by: work.actor.user_id });
  work.record(blockFacts.created, { before: null, after: block });
  return block;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, those of making one. */
export async function updateBlock(work: Work, id: string, patch: BlockPatch): Promise<Block> {
  const before = await lockBlock(work, id);
  work.precondition(before);
  const changed: Block = {
    ...before,
    ...sentOrKept(patch, before, ['start', 'end', 'title', 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  requireSpan(changed);
  if (work.isSame(blockFacts.updated, before, changed)) return before;
  await lockHosts(work, [before.user_id]);
  const after = { ...changed, updated_at: work.touch(before) };
  const { id: block_id, user_id, created_at, ...columns } = pick(after, blockColumns);
  work.update(BlockModel, block_id, columns);
  work.record(blockFacts.updated, { before, after });
  return after;
}

/** Removes a block. Errors: `not_found`, `not_owner`, `precondition_failed`. */
export async function deleteBlock(work: Work, id: string): Promise<void> {
  const before = await lockBlock(work, id);
  work.precondition(before);
  work.remove(BlockModel, id);
  work.record(blockFacts.deleted, { before, after: null });
}

/** Errors: `validation_failed` at /end. */
function requireSpan({ start, end }: { start: string; end: string }): void {
  if (start < end) return;
  throw invalid('/end', 'not_after_start', {
    en: 'end must be after start',
    ja: 'end は start より後の日時で指定してください',
  });
}
