import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { contentFields } from '../content/fields.ts';

const fields = {
  name: name(200)
    .describe('Unique in the organization without regard to case and width.')
    .meta({ examples: ['月刊ニュース'] }),
  ...contentFields,
};

/** Contents that campaigns begin with. */
export const Template = z
  .strictObject({
    id: id('mtpl'),
    object: z.literal('mail.template'),
    ...fields,
    body_html: fields.body_html.optional().describe('In lists it is left out.'),
    body_text: fields.body_text
      .optional()
      .describe('Made from `body_html` where it is empty. In lists it is left out.'),
    placeholders: z
      .array(z.string())
      .describe('The names that it fills in, each once.')
      .meta({ examples: [['last_name']] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailTemplate' });

export type ListedTemplate = z.output<typeof Template>;

/** A whole template. */
export type Template = Omit<ListedTemplate, 'body_html' | 'body_text'> & {
  body_html: string | null;
  body_text: string | null;
};

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

/** What a new template is made from. */
export const TemplateInput = sent.required({ name: true }).meta({ id: 'MailTemplateInput' });

export type TemplateInput = z.output<typeof TemplateInput>;

/** What a change of a template may hold. */
export const TemplatePatch = sent.meta({ id: 'MailTemplatePatch' });

export type TemplatePatch = z.output<typeof TemplatePatch>;

export class TemplateModel extends TenantModel {
  static override tableName = 'mail_templates';
  static override jsonAttributes = ['metadata', 'placeholders'];
}

/** What templates are looked up by. */
export const templateKind = recordKind({ table: TemplateModel.tableName, prefix: 'mtpl' });

/** The bodies may be long: the change history tells that they changed. */
export const templateFacts = factsOf({
  domain: 'mail',
  entity_type: 'template',
  computed: ['placeholders'],
  masked: ['body_html', 'body_text', 'external_id', 'metadata'],
});

uniqueKey('mail_templates_name_once', {
  table: TemplateModel.tableName,
  read_by: 'mail:read',
  columns: ['name_key'],
  path: '/name',
  message: { en: 'Another template has this name', ja: 'この名前はほかのテンプレートが使っています' },
});
uniqueKey('mail_templates_external_id_once', {
  table: TemplateModel.tableName,
  read_by: 'mail:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another template has this external_id',
    ja: 'この external_id はほかのテンプレートが使っています',
  },
});
