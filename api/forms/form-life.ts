import { z } from 'zod';
import { duplicateForm } from '../../shared/forms/forms/duplicate.ts';
import { archiveForm, publishForm, unpublishForm } from '../../shared/forms/forms/life.ts';
import { DuplicateInput } from '../../shared/forms/forms/record.ts';
import { formsShown } from '../../shared/forms/forms/shown.ts';
import { refusalsOf } from '../../shared/forms/forms/transitions.ts';
import { previewForm } from '../../shared/forms/preview/links.ts';
import { byId, timestamp } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';
import { FormReply, PATH } from './forms.ts';

/** What is done to forms from publishing to archiving. */
export const formLife = [
  write({
    id: 'forms.forms.publish',
    method: 'post',
    path: `${PATH}/:id/publish`,
    scope: 'forms:write',
    summary: 'Publish a form',
    description:
      'Freezes title and schema as a new version, unless both are those of the last one; from now on the public sees it. Earlier responses keep the version that they were given to. What a schema lacks for that is told at its places: 422 `invalid_schema`.',
    params: byId('form'),
    reply: FormReply,
    raises: [...refusalsOf('publish'), 'invalid_schema'],
    handle: async ({ params, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await publishForm(work, params.id)) };
    },
  }),
  write({
    id: 'forms.forms.unpublish',
    method: 'post',
    path: `${PATH}/:id/unpublish`,
    scope: 'forms:write',
    summary: 'Take a form back to the drafts',
    description: 'Only a form without responses, spam included: archive others.',
    params: byId('form'),
    reply: FormReply,
    raises: refusalsOf('unpublish'),
    handle: async ({ params, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await unpublishForm(work, params.id)) };
    },
  }),
  write({
    id: 'forms.forms.archive',
    method: 'post',
    path: `${PATH}/:id/archive`,
    scope: 'forms:write',
    summary: 'Archive a form',
    description:
      'Closes it to the public. What people saved to go on later, and invitations, end. Its responses stay; publishing opens it again.',
    params: byId('form'),
    reply: FormReply,
    raises: refusalsOf('archive'),
    handle: async ({ params, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await archiveForm(work, params.id)) };
    },
  }),
  write({
    id: 'forms.forms.duplicate',
    method: 'post',
    path: `${PATH}/:id/duplicate`,
    scope: 'forms:write',
    summary: 'Duplicate a form',
    description:
      'Makes a draft with the working copy and the settings. Own keys, versions and responses stay behind. Where the settings link responses to CRM or to a mailing list, `crm:write` or `mail:write` is needed too.',
    params: byId('form'),
    body: DuplicateInput,
    status: 201,
    reply: FormReply,
    raises: refusalsOf('duplicate'),
    handle: async ({ params, body, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await duplicateForm(work, params.id, body)) };
    },
  }),
  write({
    id: 'forms.forms.preview_link',
    method: 'post',
    path: `${PATH}/:id/preview-link`,
    scope: 'forms:write',
    summary: 'Make a link to the preview of a form',
    description:
      'Whoever has it sees the working copy on the real page for 24 hours. What is submitted there is judged and thrown away.',
    params: byId('form'),
    reply: z.strictObject({
      url: z
        .string()
        .describe('Shown this once.')
        .meta({ examples: ['https://service.example.co.jp/f/preview/5b0a...'] }),
      expires_at: timestamp(),
    }),
    secrets: ['url'],
    handle: ({ params, base_url }, work) => previewForm(work, params.id, base_url),
  }),
];
