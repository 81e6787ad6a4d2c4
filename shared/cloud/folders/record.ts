import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, id, timestamp } from '../../kernel/schema.ts';
import { conflictRules, description, Path, permission, placeInput, retentionUntil } from '../items/fields.ts';
import { ItemModel } from '../items/model.ts';
import { itemName } from '../names.ts';

/** A folder, as the API shows one. */
export const Folder = z
  .strictObject({
    id: id('fold'),
    object: z.literal('cloud.folder'),
    name: z.string().meta({ examples: ['契約書'] }),
    parent_id: id('fold').nullable().describe('null: it is in the root, or in a folder that you do not see.'),
    description: description(),
    path: Path,
    depth: computed(z.int())
      .describe('1 for a folder in the root; 32 at most. Folders above that you do not see are not counted.')
      .meta({ examples: [1] }),
    folder_count: computed(z.int())
      .describe('Folders directly in it.')
      .meta({ examples: [2] }),
    file_count: computed(z.int())
      .describe('Files directly in it.')
      .meta({ examples: [14] }),
    permission: permission(),
    access: z
      .enum(['inherited', 'restricted'])
      .describe('`restricted`: only who has a grant sees it; see `/cloud/folders/{id}/access`.')
      .meta({ examples: ['inherited'] }),
    retention_until: retentionUntil(),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CloudFolder' });

export type Folder = z.output<typeof Folder>;

export const FolderInput = z.strictObject({
  name: itemName(),
  parent_id: placeInput().optional(),
  description: description().optional(),
  on_conflict: z
    .enum([...conflictRules, 'existing'])
    .describe(
      'Where the name is taken: 409 (`fail`, unless said), a number behind it, or the folder that has it.',
    )
    .optional(),
  external_id: ownKeysInput.external_id.optional(),
  metadata: ownKeysInput.metadata.optional(),
});

export type FolderInput = z.output<typeof FolderInput>;

export const FolderPatch = z
  .strictObject({
    name: itemName(),
    parent_id: placeInput(),
    description: description(),
    retention_until: retentionUntil(),
    on_conflict: z.enum(conflictRules).describe('Where the name is taken: 409 unless said.'),
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'CloudFolderPatch' });

export type FolderPatch = z.output<typeof FolderPatch>;

/** What folders are looked up by. */
export const folderKind = recordKind({ table: ItemModel.tableName, prefix: 'fold' });

export const folderFacts = factsOf({
  domain: 'cloud',
  entity_type: 'folder',
  computed: computedIn(Folder),
});
