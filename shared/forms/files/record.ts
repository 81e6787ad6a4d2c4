import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { fieldId } from '../settings/record.ts';

/** Bytes that the files of one response may have together: 100 MiB. */
export const FILES_OF_RESPONSE = 100 * 1024 * 1024;

const shown = {
  id: id('ffile'),
  field_id: fieldId().describe('The field that it was uploaded for.'),
  file_name: z.string().meta({ examples: ['見積依頼.pdf'] }),
  size_bytes: z.int().meta({ examples: [48_213] }),
  content_type: z
    .string()
    .describe('As its first bytes say.')
    .meta({ examples: ['application/pdf'] }),
  sha256: z
    .string()
    .describe('In hexadecimal.')
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
};

/** A file as it stands in its response. */
export const ResponseFile = z.strictObject(shown).meta({ id: 'FormResponseFile' });

export type ResponseFile = z.output<typeof ResponseFile>;

/** A file that was uploaded. */
export const FormFile = z
  .strictObject({
    id: shown.id,
    object: z.literal('forms.file'),
    form_id: id('form'),
    field_id: shown.field_id,
    file_name: shown.file_name,
    size_bytes: shown.size_bytes,
    content_type: shown.content_type,
    sha256: shown.sha256,
    created_at: timestamp(),
  })
  .meta({ id: 'FormFile' });

export type FormFile = z.output<typeof FormFile>;

export class FormFileModel extends TenantModel {
  static override tableName = 'forms_files';
}

/** What a response shows of a file, as columns of `forms_files`. */
export const RESPONSE_FILE_COLUMNS =
  'id, field_id, file_name, size_bytes::integer AS size_bytes, content_type, sha256';
