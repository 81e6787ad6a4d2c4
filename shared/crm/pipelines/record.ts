import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { id, keyText, text, timestamp } from '../../kernel/schema.ts';
import { stageTypes } from '../stage-types.ts';

const slug = () =>
  keyText(/^[a-z0-9][a-z0-9_-]{0,49}$/, {
    en: 'must be 1 to 50 of a-z, 0-9, - and _, and begin with a letter or digit',
    ja: 'は英小文字、数字、- と _ の1〜50文字で、英小文字か数字から始めてください',
  }).meta({ examples: ['negotiation'] });

const sortOrder = () =>
  z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .meta({ examples: [3] });

const stageFields = {
  name: text(100).meta({ examples: ['交渉'] }),
  slug: slug(),
  sort_order: sortOrder(),
  type: z.enum(stageTypes).describe('What it makes of the deals in it.'),
  probability: z
    .int()
    .min(0)
    .max(100)
    .meta({ examples: [80] }),
  stale_after_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days after which an open deal that stays here is stale.')
    .meta({ examples: [14] }),
  color: z
    .string()
    .regex(
      /^#[0-9A-Fa-f]{6}$/,
      says({ en: 'must be a colour as #RRGGBB', ja: 'は #RRGGBB 形式の色で入力してください' }),
    )
    .nullable()
    .meta({ examples: ['#3B82F6'] }),
};

/** A stage of a pipeline, as the API shows one. */
export const Stage = z
  .strictObject({
    id: id('pstage'),
    object: z.literal('crm.stage'),
    ...stageFields,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Stage' });

export type Stage = z.output<typeof Stage>;

/** A stage as callers write it; a stage that keeps its slug keeps what is not sent. */
export const StageInput = z
  .strictObject({ ...stageFields, type: stageFields.type.describe('By the slug, unless said; else open.') })
  .partial()
  .required({ name: true, slug: true })
  .meta({ id: 'StageInput' });

const fields = {
  name: text(100).meta({ examples: ['新規営業'] }),
  is_default: z.boolean().describe('Whether deals begin here unless said; one pipeline is the default.'),
  sort_order: sortOrder(),
};

const shown = {
  id: id('pipe'),
  object: z.literal('crm.pipeline'),
  ...fields,
  ...ownKeys,
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** A pipeline in a list. */
export const Pipeline = z.strictObject(shown).meta({ id: 'Pipeline' });

export type Pipeline = z.output<typeof Pipeline>;

/** A pipeline with its stages in their order. */
export const PipelineDetail = z
  .strictObject({ ...shown, stages: z.array(Stage) })
  .meta({ id: 'PipelineDetail' });

export type PipelineDetail = z.output<typeof PipelineDetail>;

const stages = z.array(StageInput).max(100).describe('At least one of type open; each slug once.');

/** What a new pipeline is made from; without stages it gets the six usual ones. */
export const PipelineInput = z
  .strictObject({ ...fields, ...ownKeysInput, stages })
  .partial()
  .required({ name: true })
  .meta({ id: 'PipelineInput' });

export type PipelineInput = z.output<typeof PipelineInput>;

/** What a change of a pipeline may hold; `stages` replaces all of them. */
export const PipelinePatch = z
  .strictObject({
    ...fields,
    ...ownKeysInput,
    stages,
    stage_mapping: z
      .record(z.string().max(50), slug())
      .describe('Where the deals of removed stages go: old slug to new slug.')
      .meta({ examples: [{ lead: 'qualification' }] }),
    if_deals: z
      .enum(['move', 'reject'])
      .describe('reject answers 409 instead of moving deals out of removed stages; move unless said.'),
  })
  .partial()
  .meta({ id: 'PipelinePatch' });

export type PipelinePatch = z.output<typeof PipelinePatch>;

export class PipelineModel extends TenantModel {
  static override tableName = 'crm_pipelines';
  static override jsonAttributes = ['metadata'];
}

export class StageModel extends TenantModel {
  static override tableName = 'crm_stages';
}

export const pipelineFacts = factsOf({ domain: 'crm', entity_type: 'pipeline' });

uniqueKey('crm_pipelines_external_id_once', {
  table: PipelineModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another pipeline has this external_id',
    ja: 'この external_id はほかのパイプラインが使っています',
  },
});
// The lock on the organization's choice makes this impossible; should it happen all the same, it is reported as it is.
refusesBy(
  'crm_pipelines_default_once',
  () =>
    new Failure('default_pipeline', {
      detail: {
        en: 'Another pipeline has just become the default',
        ja: 'ほかのパイプラインが既定になったところです',
      },
    }),
);
refusesBy('crm_stages_organization_id_pipeline_id_fkey', () =>
  unknownReference('/pipeline_id', { en: 'The pipeline', ja: 'パイプライン' }),
);
