import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, freeText, id, timestamp } from '../../kernel/schema.ts';
import { toldWord } from '../../kernel/told-word.ts';
import { conflictRules, description, Path, permission, placeInput, retentionUntil } from '../items/fields.ts';
import { ItemModel } from '../items/model.ts';
import { linkTypes, MOST_LINKS } from '../links/types.ts';
import { itemName } from '../names.ts';

/** Bytes that one file may have. */
export const MOST_FILE_BYTES = 5 * 1024 ** 3;

export const scanStates = ['off', 'pending', 'clean', 'quarantined', 'unscanned'] as const;

const content = {
  size_bytes: z.int().meta({ examples: [48_213] }),
  content_type: z
    .string()
    .describe('As its bytes say.')
    .meta({ examples: ['application/pdf'] }),
  sha256: z.string().meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
};

const scan = () =>
  computed(z.enum(scanStates))
    .describe(
      'What is known of malware in it: `unscanned` is too large to be looked at, `off` is where nothing looks.',
    )
    .meta({ examples: ['clean'] });

const linkId = freeText(100).meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] });

const Links = z.array(z.strictObject({ type: toldWord(linkTypes), id: linkId }));

const LinksInput = z.array(z.strictObject({ type: z.enum(linkTypes), id: linkId }));

/** A file, as the API shows one. */
export const CloudFile = z
  .strictObject({
    id: id('file'),
    object: z.literal('cloud.file'),
    name: z.string().meta({ examples: ['見積書.pdf'] }),
    folder_id: id('fold').nullable().describe('null: it is in the root.'),
    description: description(),
    ...content,
    declared_type: z
      .string()
      .nullable()
      .describe('As who sent it said: not to be believed.')
      .meta({ examples: ['application/pdf'] }),
    extension: z
      .string()
      .describe('Of its name, in small letters, without the dot.')
      .meta({ examples: ['pdf'] }),
    version_id: id('fver').describe('Its current version.'),
    version_number: z.int().meta({ examples: [1] }),
    path: Path,
    permission: permission(),
    links: Links.describe('The records that it belongs to.').meta({ examples: [[]] }),
    retention_until: retentionUntil(),
    scan: scan(),
    ...ownKeys,
    created_by: id('usr').nullable(),
    updated_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CloudFile' });

export type CloudFile = z.output<typeof CloudFile>;

/** What stands in a form before the file. */
export const FileInput = z.strictObject({
  folder_id: placeInput()
    .meta({ examples: [null] })
    .optional(),
  name: itemName().describe('The name of the file that was sent unless said.').optional(),
  on_conflict: z
    .enum([...conflictRules, 'version'])
    .describe(
      'Where the name is taken: 409 (`fail`, unless said), a number behind it, or a new version of that file.',
    )
    .optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .toLowerCase()
    .describe('What the file must have, in hexadecimal: `checksum_mismatch` otherwise.')
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] })
    .optional(),
  description: description().optional(),
  external_id: ownKeysInput.external_id.optional(),
  metadata: ownKeysInput.metadata.optional(),
});

export type FileInput = z.output<typeof FileInput>;

export const FilePatch = z
  .strictObject({
    name: itemName(),
    description: description(),
    links: LinksInput.max(MOST_LINKS),
    retention_until: retentionUntil(),
    on_conflict: z.enum(conflictRules).describe('Where the name is taken: 409 unless said.'),
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'CloudFilePatch' });

export type FilePatch = z.output<typeof FilePatch>;

/** Where a file is moved or copied to. */
export const FilePlace = z.strictObject({
  folder_id: placeInput(),
  name: itemName().optional(),
  on_conflict: z.enum(conflictRules).describe('Where the name is taken: 409 unless said.').optional(),
});

export type FilePlace = z.output<typeof FilePlace>;

/** A version of a file, as the API shows one. */
export const FileVersion = z
  .strictObject({
    id: id('fver'),
    object: z.literal('cloud.version'),
    file_id: id('file'),
    number: z.int().meta({ examples: [1] }),
    ...content,
    is_current: computed(z.boolean()).meta({ examples: [true] }),
    keep: z
      .boolean()
      .describe('Whether it stays, however old it is and however many there are.')
      .meta({ examples: [false] }),
    scan: scan(),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'CloudFileVersion' });

export type FileVersion = z.output<typeof FileVersion>;

export class VersionModel extends TenantModel {
  static override tableName = 'cloud_versions';
}

/** What files are looked up by. */
export const fileKind = recordKind({ table: ItemModel.tableName, prefix: 'file' });

export const fileFacts = factsOf({ domain: 'cloud', entity_type: 'file', computed: computedIn(CloudFile) });

export const versionFacts = factsOf({
  domain: 'cloud',
  entity_type: 'version',
  computed: computedIn(FileVersion),
});
