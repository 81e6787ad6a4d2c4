import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, id, storable, timestamp } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { formActions, formStatuses, notAcceptingReasons } from './words.ts';

/** The schema of a form that was made without one. */
export const EMPTY_SCHEMA = '{"version":1,"locale":"ja","pages":[{"id":"page_1","fields":[]}]}';

export const formSlug = () =>
  z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/,
      says({
        en: 'must be 3 to 64 of a-z, 0-9 and -, and neither begin nor end with a hyphen',
        ja: 'は英小文字、数字、ハイフンの3〜64文字で、先頭と末尾は英小文字か数字にしてください',
      }),
    )
    .meta({ examples: ['contact'] });

const title = () => name(200).meta({ examples: ['お問い合わせ'] });

/** The text of a schema as callers send it: what it says is judged by the rules of schemas. */
const schemaText = () =>
  storable(z.string())
    .describe(
      'The schema as JSON text of at most 256 KiB, kept byte for byte: see [what it can hold](/docs/guides/forms#what-a-schema-can-hold).',
    )
    .meta({ examples: [EMPTY_SCHEMA] });

/** Whether a form takes responses now, and why not. */
export const Accepting = z
  .strictObject({
    open: z.boolean().meta({ examples: [false] }),
    reason: z.enum(notAcceptingReasons).nullable(),
  })
  .meta({ id: 'FormAccepting' });

export type Accepting = z.output<typeof Accepting>;

/** The same for who has an invitation, or none: `not_invited` where the form is answered by invitation alone. */
export const GuestAccepting = Accepting.extend({
  reason: z.enum([...notAcceptingReasons, 'not_invited']).nullable(),
}).meta({ id: 'FormAcceptingOfGuest' });

export type GuestAccepting = z.output<typeof GuestAccepting>;

/** How many responses a form has, at the last commit. */
export type FormCounts = { response_count: number; spam_count: number; last_response_at: string | null };

/** A form, as the API shows it. `title` and `schema_json` are the working copy. */
export const ShownForm = z
  .strictObject({
    id: id('form'),
    object: z.literal('forms.form'),
    organization_id: id('org'),
    title: title(),
    slug: formSlug().describe('Stands in the address of its page, once in the organization.'),
    status: z.enum(formStatuses),
    schema_json: schemaText(),
    published_version: z
      .int()
      .nullable()
      .describe('The number of the version that is answered; null before the first.')
      .meta({ examples: [null] }),
    published_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    archived_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    has_unpublished_changes: z
      .boolean()
      .describe('Whether title or schema differ from the published version.')
      .meta({ examples: [true] }),
    accepting: computed(Accepting).describe('Whether it takes responses now, and why not.'),
    response_count: computed(z.int())
      .describe('Responses without spam.')
      .meta({ examples: [0] }),
    spam_count: computed(z.int()).meta({ examples: [0] }),
    last_response_at: computed(timestamp().nullable()).meta({ examples: [null] }),
    public_url: computed(z.string())
      .describe('Its page.')
      .meta({ examples: ['https://service.example.co.jp/f/yamada-shoji/contact'] }),
    available_actions: computed(z.array(z.enum(formActions))).describe('What you can do to it now.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Form' });

export type ShownForm = z.output<typeof ShownForm>;

type Computed =
  | 'accepting'
  | 'response_count'
  | 'spam_count'
  | 'last_response_at'
  | 'public_url'
  | 'available_actions';

/** A form without what changes beside it: its responses, the time, the organization's slug and who asks. */
export type Form = Omit<ShownForm, Computed>;

const sent = z
  .strictObject({ title: title(), schema_json: schemaText(), slug: formSlug(), ...ownKeysInput })
  .partial();

/** What a new form is made from. */
export const FormInput = sent.required({ title: true }).meta({ id: 'FormInput' });

export type FormInput = z.output<typeof FormInput>;

/** What a change of a form may hold. */
export const FormPatch = sent.meta({ id: 'FormPatch' });

export type FormPatch = z.output<typeof FormPatch>;

export class FormModel extends TenantModel {
  static override tableName = 'forms_forms';
  static override jsonAttributes = ['metadata'];
}

/** What forms are looked up by. */
export const formKind = recordKind({
  table: FormModel.tableName,
  prefix: 'form',
  keys: { slug: { schema: formSlug() } },
});

/** The text of a schema may be long, and stands in the versions: the change history tells that it changed. */
export const formFacts = factsOf({
  domain: 'forms',
  entity_type: 'form',
  computed: computedIn(ShownForm),
  masked: ['schema_json'],
});

uniqueKey('forms_forms_external_id_once', {
  table: FormModel.tableName,
  read_by: 'forms:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another form has this external_id',
    ja: 'この external_id はほかのフォームが使っています',
  },
});

/** What the copy of a form is called. */
export const DuplicateInput = z
  .strictObject({ title: title().describe('That of the form unless said.').optional() })
  .meta({ id: 'FormDuplicateInput' });

export type DuplicateInput = z.output<typeof DuplicateInput>;
