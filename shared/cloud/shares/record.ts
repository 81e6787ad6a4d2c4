import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { addFault, computed, computedIn, id, timestamp, timestampInput } from '../../kernel/schema.ts';
import { itemId } from '../items/fields.ts';

const downloads = () =>
  z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe(
      'Downloads after which it ends; null: any number. With a number contents are not given in parts.',
    )
    .meta({ examples: [10] });

/** A share, as the API shows one. Its address is in the answer that makes it alone. */
export const Share = z
  .strictObject({
    id: id('shr'),
    object: z.literal('cloud.share'),
    resource: z
      .strictObject({ type: z.enum(['file', 'folder']), id: itemId() })
      .describe('What it shows: a file, or a folder with what is below it now.'),
    has_password: z.boolean().meta({ examples: [true] }),
    starts_at: timestamp().nullable().describe('null: at once.'),
    expires_at: timestamp().nullable().describe('null: it ends when somebody takes it back.'),
    max_downloads: downloads(),
    download_count: computed(z.int())
      .describe('GETs of a content that were answered with bytes.')
      .meta({ examples: [3] }),
    last_download_at: computed(timestamp().nullable()),
    revoked_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    created_by: id('usr'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'CloudShare' });

export type Share = z.output<typeof Share>;

/** The password of a share: a header must hold it. */
export function sharePassword() {
  return z
    .string()
    .min(4)
    .max(128)
    .regex(
      /^[\x21-\x7e]*$/,
      says({
        en: 'has visible ASCII characters alone, without spaces',
        ja: 'には空白以外の半角英数字と記号だけが使えます',
      }),
    )
    .describe('4 to 128 visible ASCII characters; guests send them in a header or a form.')
    .meta({ examples: ['quiet-river-42'] });
}

const terms = {
  password: sharePassword().nullable().optional(),
  starts_at: timestampInput().nullable().optional(),
  expires_at: timestampInput()
    .nullable()
    .describe('At most `share_max_days` of the settings from now; that far where nothing is sent.')
    .optional(),
  max_downloads: downloads().optional(),
};

/** What a share is made from: a file or a folder, and its terms. */
export const ShareInput = z
  .strictObject({
    file_id: id('file').optional(),
    folder_id: id('fold').describe('In the place of `file_id`.').meta({ examples: [] }).optional(),
    ...terms,
  })
  .superRefine(({ file_id, folder_id }, issues) => {
    if (file_id === undefined && folder_id === undefined) {
      addFault(issues, 'file_id', 'required', {
        en: 'or folder_id must be sent',
        ja: 'か folder_id のどちらかを指定してください',
      });
    }
    if (file_id !== undefined && folder_id !== undefined) {
      addFault(issues, 'folder_id', 'invalid_value', {
        en: 'cannot stand beside file_id',
        ja: 'は file_id と同時に指定できません',
      });
    }
  })
  .meta({ id: 'CloudShareInput' });

export type ShareInput = z.output<typeof ShareInput>;

export const SharePatch = z.strictObject(terms).meta({ id: 'CloudSharePatch' });

/** Terms as they were sent, the password by its hash. */
export type ShareTerms = Omit<z.output<typeof SharePatch>, 'password'> & {
  password_hash?: string | null | undefined;
};

export class ShareModel extends TenantModel {
  static override tableName = 'cloud_shares';
}

export const shareFacts = factsOf({ domain: 'cloud', entity_type: 'share', computed: computedIn(Share) });

/** A guest takes a file: an entry of its own in the audit log, under the ID of the file. */
export const downloadFacts = factsOf({ domain: 'cloud', entity_type: 'download' });
