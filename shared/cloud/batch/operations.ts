import { z } from 'zod';
import { Failure, invalid } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { moveFile } from '../files/operations.ts';
import { fileById } from '../files/queries.ts';
import type { CloudFile } from '../files/record.ts';
import { updateFolder } from '../folders/operations.ts';
import { folderById } from '../folders/queries.ts';
import type { Folder } from '../folders/record.ts';
import { conflictRules, itemId, placeInput } from '../items/fields.ts';
import { restoreItem, trashFile, trashFolder } from '../trash/operations.ts';
import { lockTree } from '../tree/lock.ts';

export const actions = ['move', 'trash', 'restore'] as const;

/** Items of one batch. */
export const MOST_ITEMS = 1_000;

export const BatchInput = z.strictObject({
  action: z.enum(actions),
  ids: z.array(itemId()).min(1).max(MOST_ITEMS).describe('Folders and files.'),
  folder_id: placeInput()
    .describe('Where to; null for the root. `move` asks for it; `restore` goes where each was unless said.')
    .optional(),
  on_conflict: z.enum(conflictRules).describe('Where a name is taken: 409 unless said.').optional(),
});

export type BatchInput = z.output<typeof BatchInput>;

type Item = Folder | CloudFile;

/**
 * Moves, trashes or restores items, in their order, all or none: the refusal names the item in `id`. Items of the trash are
 * answered as they were. Errors: those of each action, `validation_failed`.
 */
export async function runCloudBatch(work: Work, input: BatchInput): Promise<Item[]> {
  const { action, ids, folder_id } = input;
  if (action === 'move' && folder_id === undefined) {
    throw invalid('/folder_id', 'required', {
      en: 'is required to move: null for the root',
      ja: 'は移動先として必須です（ルートは null）',
    });
  }
  await lockTree(work, 'alone');
  const items: Item[] = [];
  for (const [index, each] of [...new Set(ids)].entries()) {
    items.push(await act(work, each, input).catch((error) => naming(error, each, index)));
    // The next item sees the names that this one took and freed.
    await work.flushFacts();
  }
  return items;
}

async function act(
  work: Work,
  id: string,
  { action, folder_id: to, on_conflict }: BatchInput,
): Promise<Item> {
  const isFolder = id.startsWith('fold_');
  if (action === 'restore') {
    return restoreItem(work, id, { folder_id: to, on_conflict });
  }
  if (action === 'move') {
    const folder_id = to ?? null;
    return isFolder
      ? updateFolder(work, id, { parent_id: folder_id, on_conflict })
      : moveFile(work, id, { folder_id, on_conflict });
  }
  const before = isFolder ? await folderById(work, id) : await fileById(work, id);
  await (isFolder ? trashFolder(work, id) : trashFile(work, id));
  return before;
}

function naming(error: unknown, id: string, index: number): never {
  if (!(error instanceof Failure)) throw error;
  const { details } = error;
  throw new Failure(error.code, {
    ...details,
    errors: [
      { in: 'body', path: `/ids/${index}`, code: error.code, message: details.detail ?? { en: id, ja: id } },
    ],
    members: { ...details.members, id },
  });
}
