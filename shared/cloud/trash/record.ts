import { z } from 'zod';

import { id, timestamp } from '../../kernel/schema.ts';
import { CloudFile, fileFacts } from '../files/record.ts';
import { Folder, folderFacts } from '../folders/record.ts';
import { conflictRules, itemId, Path, placeInput } from '../items/fields.ts';

/** A folder or file that was put into the trash, as the API shows one; what lay below a folder went with it. */
export const TrashItem = z
  .strictObject({
    id: itemId(),
    object: z.enum(['cloud.folder', 'cloud.file']),
    name: z.string().meta({ examples: ['見積書.pdf'] }),
    path: Path,
    size_bytes: z
      .int()
      .nullable()
      .describe('null for a folder.')
      .meta({ examples: [48_213] }),
    trashed_at: timestamp(),
    trashed_by: id('usr').nullable(),
    purge_at: timestamp().describe('When it is purged unless it is restored.'),
  })
  .meta({ id: 'CloudTrashItem' });

export type TrashItem = z.output<typeof TrashItem>;

export const RestoreInput = z.strictObject({
  folder_id: placeInput().describe('Where it was, or the root where that is gone, unless said.').optional(),
  on_conflict: z.enum(conflictRules).describe('Where the name is taken: 409 unless said.').optional(),
});

export type RestoreInput = z.output<typeof RestoreInput>;

/** What came back. */
export const CloudItem = z.union([Folder, CloudFile]);

/** A trip to the trash and back, as the audit log tells it: by `trashed_at`. */
export const trashFacts = {
  folder: folderFacts.updated,
  file: fileFacts.updated,
};

/** What is gone for good. */
export const purgeFacts = { folder: folderFacts.deleted, file: fileFacts.deleted };
