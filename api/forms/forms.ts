import { z } from 'zod';
import { formPage } from '../../shared/forms/forms/list.ts';
import { createForm, updateForm } from '../../shared/forms/forms/operations.ts';
import { storedForm } from '../../shared/forms/forms/queries.ts';
import { FormInput, FormPatch, formKind, ShownForm } from '../../shared/forms/forms/record.ts';
import { removeForm } from '../../shared/forms/forms/remove.ts';
import { formsShown } from '../../shared/forms/forms/shown.ts';
import { refusalsOf } from '../../shared/forms/forms/transitions.ts';
import { formStatuses } from '../../shared/forms/forms/words.ts';
import { booleanParameter } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';

export const PATH = '/api/v1/forms';

const form = resource({ id: 'forms.forms', path: PATH, domain: 'forms', one: 'a form', prefix: 'form' });

export const FormReply = z.strictObject({ form: ShownForm });

export const forms = [
  list({
    ...form.list,
    summary: 'List forms',
    description: 'Drafts, published and archived ones. `search` looks in titles.',
    item: ShownForm,
    looked_up: formKind,
    limit: { default: 20, most: 100 },
    filters: z.object({
      status: manyOf(z.enum(formStatuses)).optional(),
      search: z
        .string()
        .max(200)
        .describe('A part of the title.')
        .meta({ examples: ['お問い合わせ'] })
        .optional(),
    }),
    handle: async ({ filters, window, base_url }, reader) => {
      const [page, shown] = await Promise.all([
        formPage(reader, filters, window),
        formsShown(reader, base_url),
      ]);
      return { ...page, rows: page.rows.map(shown) };
    },
  }),
  read({
    ...form.get,
    description:
      '`title` and `schema_json` are the working copy; what the public sees is the version `published_version`.',
    reply: FormReply,
    handle: async ({ params, base_url }, reader) => {
      const shown = await formsShown(reader, base_url);
      return { form: shown(await storedForm(reader, params.id)) };
    },
  }),
  write({
    ...form.create,
    description:
      'A draft, which the public does not find before it is published. Without `schema_json` it has one page without fields, without `slug` one of 10 random characters. What is wrong in the schema is told with its place after the # of the path.',
    body: FormInput,
    reply: FormReply,
    raises: ['already_exists'],
    handle: async ({ body, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await createForm(work, body)) };
    },
  }),
  write({
    ...form.update,
    description: `${FIELDS_SENT} It is the working copy that changes; publishing shows it to the public. A former slug leads to the form until another one takes it. Of an archived form \`external_id\` and \`metadata\` change alone.`,
    body: FormPatch,
    reply: FormReply,
    raises: ['already_exists', 'form_frozen', ...refusalsOf('update')],
    handle: async ({ params, body, base_url }, work) => {
      const shown = await formsShown(work, base_url);
      return { form: shown(await updateForm(work, params.id, body)) };
    },
  }),
  write({
    ...form.delete,
    description:
      'A draft, or an archived form, with its versions. An archived one that has responses goes with them and their files by `with_responses=true`, which needs `settings:write` too. Nothing of it is found any more when the call answers; of very many responses the last are erased within minutes.',
    query: z.strictObject({
      with_responses: booleanParameter()
        .describe('Whether the responses of the form and their files go too.')
        .optional(),
    }),
    raises: refusalsOf('delete'),
    handle: async ({ params, query }, work) => {
      await removeForm(work, params.id, query.with_responses ?? false);
      return deleted;
    },
  }),
];
