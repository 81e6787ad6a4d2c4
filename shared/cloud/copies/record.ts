import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { ownKeysInput } from '../../kernel/own-keys.ts';
import type { Actor } from '../../kernel/reader.ts';
import { freeText } from '../../kernel/schema.ts';
import { conflictRules, description, placeInput } from '../items/fields.ts';
import { itemName } from '../names.ts';

/** What is asked for where a file of a record is copied; `types` are those of all sources. */
export const copyInput = (types: readonly string[]) =>
  z
    .strictObject({
      source: z
        .strictObject({
          type: z.enum(types).meta({ examples: ['invoice'] }),
          id: freeText(100).meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
        })
        .describe('The record whose file is copied: its PDF, or the original that it came with.'),
      folder_id: placeInput()
        .meta({ examples: [null] })
        .optional(),
      name: itemName().describe('The name of the file that is copied unless said.').optional(),
      on_conflict: z.enum(conflictRules).describe('Where the name is taken: 409 unless said.').optional(),
      description: description().optional(),
      ...ownKeysInput,
    })
    .partial({ external_id: true, metadata: true })
    .meta({ id: 'CloudCopyInput' });

export type CopyInput = z.output<ReturnType<typeof copyInput>>;

/** What a job is to copy, as it is kept until the job has ended. */
export type CopyRequest = CopyInput & {
  /** Who asked. What they may do is looked up when the file is copied. */
  actor: Pick<Actor, 'type' | 'id' | 'user_id'>;
  request_id: string | null;
  /** Names the content whose making was asked for; null while none was. */
  content_key: string | null;
};

export class CopyModel extends TenantModel {
  static override tableName = 'cloud_copies';
  static override jsonAttributes = ['request'];
}
