import { z } from 'zod';
import { addFile } from '../../shared/forms/files/add.ts';
import { fileOfResponse } from '../../shared/forms/files/queries.ts';
import { FormFile } from '../../shared/forms/files/record.ts';
import {
  type FileRules,
  MOST_BYTES,
  requireText,
  rulesOfField,
  takenContents,
} from '../../shared/forms/files/rules.ts';
import { storedForm } from '../../shared/forms/forms/queries.ts';
import { fieldId } from '../../shared/forms/settings/record.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { contentKinds } from '../../shared/platform/intake/content-kind.ts';
import { file, upload } from '../http/files/declarations.ts';
import type { Inspection } from '../http/files/inspection.ts';

const fieldOfUpload = fieldId().describe('The field of the form that takes the file.');

/** What every upload to a form is, whoever sends it. */
export const ofUpload = {
  method: 'post',
  file: {
    field: 'file',
    limit: MOST_BYTES,
    keep: true,
    accepts: takenContents,
    description: 'What the field takes of these, up to its own number of MiB. The name decides nothing.',
  },
  status: 201,
  reply: z.strictObject({ file: FormFile }),
  inspect: async ({ file: sent, pieces }: Pick<Inspection<undefined>, 'file' | 'pieces'>) => {
    if (sent.content_type === contentKinds.text) await requireText(pieces(sent));
  },
} as const;

/** The field that stands before the file in the form. */
export const uploadFields = z.strictObject({ field_id: fieldOfUpload });

/** What a field grants to a file before its first byte. */
export function granted<Granted extends { rules: FileRules }>(grant: Granted) {
  return { limit: grant.rules.limit, granted: grant, dismiss: async () => undefined };
}

export const files = [
  upload({
    ...ofUpload,
    id: 'forms.files.upload',
    path: '/api/v1/forms/:id/uploads',
    scope: 'forms:write',
    summary: 'Upload a file for a response',
    description:
      'Its ID then stands among the answers of a response that is made with credentials, within a day. `field_id` stands before the file.',
    params: byId('form'),
    fields: uploadFields,
    raises: ['unsupported_media_type'],
    admit: async ({ params, fields }, { read, caller }) => {
      const { field_id } = fields;
      const rules = await read(async (reader) => {
        const inside = { ...reader, organization_id: caller.organization_id };
        await storedForm(inside, params.id);
        return rulesOfField(inside, { form_id: params.id, version: null, field_id });
      });
      return granted({ rules });
    },
    handle: async ({ params, fields, granted: { rules }, file: sent }, work) => {
      const about = { form_id: params.id, ...fields, nonce_hash: null, address_hash: null };
      return { file: await addFile(work, about, rules, sent) };
    },
  }),
  file({
    id: 'forms.files.content',
    path: '/api/v1/forms/:id/responses/:response_id/files/:file_id',
    scope: 'forms:read',
    summary: 'Download a file of a response',
    description: 'To be saved, in a sandbox: whoever answered the form sent it. Whole or in ranges.',
    params: z.strictObject({ id: id('form'), response_id: id('resp'), file_id: id('ffile') }),
    media_types: takenContents.map((kind) => contentKinds[kind]),
    raises: ['quarantined'],
    handle: ({ params }, reader) => fileOfResponse(reader, params),
  }),
];
