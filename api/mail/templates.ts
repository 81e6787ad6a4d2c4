import { z } from 'zod';
import { createTemplate, deleteTemplate, updateTemplate } from '../../shared/mail/templates/operations.ts';
import { templateById, templatePage } from '../../shared/mail/templates/queries.ts';
import { Template, TemplateInput, TemplatePatch, templateKind } from '../../shared/mail/templates/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { CONTENTS_LIMITS } from './contents.ts';

const template = resource({
  id: 'mail.templates',
  path: '/api/v1/mail/templates',
  domain: 'mail',
  one: 'a template',
  prefix: 'mtpl',
});

const TemplateReply = z.strictObject({ template: Template });

export const templates = [
  list({
    ...template.list,
    summary: 'List templates',
    description: 'Without their bodies. `search` looks in names and subjects.',
    item: Template,
    looked_up: templateKind,
    limit: { default: 50, most: 200 },
    filters: z.object({
      search: z
        .string()
        .max(200)
        .describe('A part of the name or the subject.')
        .meta({ examples: ['月刊'] })
        .optional(),
    }),
    handle: ({ filters, window }, reader) => templatePage(reader, filters, window),
  }),
  read({
    ...template.get,
    description: 'With its bodies.',
    reply: TemplateReply,
    handle: async ({ params }, reader) => ({ template: await templateById(reader, params.id) }),
  }),
  write({
    ...template.create,
    description:
      'What may not stand in a mail is taken out of the HTML. A placeholder that does not exist is refused with its position.',
    body: TemplateInput,
    body_limits: CONTENTS_LIMITS,
    reply: TemplateReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ template: createTemplate(work, body) }),
  }),
  write({
    ...template.update,
    description: `${FIELDS_SENT} Campaigns that were made from it stay as they are.`,
    body: TemplatePatch,
    body_limits: CONTENTS_LIMITS,
    reply: TemplateReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ template: await updateTemplate(work, params.id, body) }),
  }),
  write({
    ...template.delete,
    description: 'Campaigns that were made from it keep their contents.',
    handle: deleting(deleteTemplate),
  }),
];
