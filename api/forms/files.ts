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
import { Failure } from '../../shared/kernel/failure.ts';
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

/** What was granted to a file, or why it is refused. */
export type Grant<Granted> = { granted: Granted } | { refused: Failure };

/** Bytes after which a file that is refused is not read on. */
const LITTLE = 64 * 1024;

/**
 * Asks for what is granted to a file before its first byte. What refuses it is told when its form has been looked at whole, or
 * as soon as the file turns out not to be small.
 */
export async function admission<Granted extends { rules: FileRules }>(ask: () => Promise<Granted>) {
  const dismiss = async () => undefined;
  try {
    const granted = await ask();
    return { limit: granted.rules.limit, granted: { granted } as Grant<Granted>, dismiss };
  } catch (refused) {
    if (!(refused instanceof Failure)) throw refused;
    const keepUp = async (bytes: number) => {
      if (bytes > LITTLE) throw refused;
    };
    return { keepUp, granted: { refused } as Grant<Granted>, dismiss };
  }
}

/** What was granted. Errors: what refuses the file. */
export function grantedBy<Granted>(grant: Grant<Granted>): Granted {
  if ('refused' in grant) throw grant.refused;
  return grant.granted;
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
      return admission(() =>
        read(async (reader) => {
          const inside = { ...reader, organization_id: caller.organization_id };
          await storedForm(inside, params.id);
          return { rules: await rulesOfField(inside, { form_id: params.id, version: null, field_id }) };
        }),
      );
    },
    handle: async ({ params, fields, granted, file: sent }, work) => {
      const { rules } = grantedBy(granted);
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
