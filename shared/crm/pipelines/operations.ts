import { Failure, invalidAll, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { joined, sameText } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { rehouseDeals } from '../deals/rehouse.ts';
import { destinationInOtherPipeline, replaceStages } from '../stage-replacement.ts';
import { defaultStages, type StagePlan } from '../stage-types.ts';
import { holdChoiceOfDefault, lockPipelines } from './locks.ts';
import { inStageOrder, type PipelineRow, pipelineOf } from './queries.ts';
import {
  type PipelineDetail,
  type PipelineInput,
  PipelineModel,
  type PipelinePatch,
  pipelineFacts,
  type Stage,
  StageModel,
} from './record.ts';
import { newStage, placed, refuseDeals, type StageChange, stageChange } from './replacement.ts';

const DEFAULT_NAME = '営業パイプライン';

/** The pipeline with the six usual stages that a new organization begins with. */
export function createDefaultPipeline(work: Work): PipelineDetail {
  const fields = { name: DEFAULT_NAME, is_default: true, sort_order: 0, external_id: null, metadata: {} };
  return insertPipeline(work, fields, defaultStages);
}

/**
 * Makes a pipeline; an organization's first one is its default. Errors: `validation_failed` at /stages.
 */
export async function createPipeline(work: Work, input: PipelineInput): Promise<PipelineDetail> {
  const plans = input.stages ? plansOf(input.stages) : defaultStages;
  await holdChoiceOfDefault(work);
  const [before] = await lockPipelines(work, [], { with_default: true, whole: false });
  const is_default = input.is_default || !before;
  if (is_default && before) noLongerDefault(work, before);
  const sort_order = input.sort_order ?? (await nextSortOrder(work));
  const { name, external_id = null } = input;
  const metadata = metadataAfter({}, input.metadata);
  return insertPipeline(work, { name, is_default, sort_order, external_id, metadata }, plans);
}

/**
 * Changes the fields sent; `stages` replaces all of them, and no deal is lost with a removed one.
 * `moved_deals` counts those that changed their stage. Errors: `not_found`, `precondition_failed`,
 * `validation_failed` at /stages and /stage_mapping, `default_pipeline`, `in_use`.
 */
export async function updatePipeline(
  work: Work,
  id: string,
  patch: PipelinePatch,
): Promise<{ pipeline: PipelineDetail; moved_deals?: number }> {
  const chooses = patch.is_default === true;
  if (chooses) await holdChoiceOfDefault(work);
  const whole = patch.stages !== undefined;
  const locked = await lockPipelines(work, [id], { with_default: chooses, whole });
  const before = locked.find((one) => one.id === id);
  if (!before) throw notFound();
  work.precondition(before);
  if (before.is_default && patch.is_default === false) {
    throw new Failure('default_pipeline', {
      detail: {
        en: 'Make another pipeline the default instead',
        ja: '代わりに別のパイプラインを既定にしてください',
      },
    });
  }
  const change = stageChange(work, before, patch);
  const fields = {
    ...sentOrKept(patch, before, ['name', 'is_default', 'sort_order', 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  const changed = { ...before, ...fields, stages: change?.stages ?? before.stages };
  const moved = change && { moved_deals: 0 };
  if (work.isSame(pipelineFacts.updated, before, changed)) return { pipeline: before, ...moved };
  const old = locked.find((one) => one.is_default && one.id !== id);
  if (chooses && old) noLongerDefault(work, old);
  const after = { ...changed, updated_at: work.touch(before) };
  work.update(PipelineModel, id, { ...fields, updated_at: after.updated_at });
  if (moved) moved.moved_deals = await replaceAll(work, id, change, patch.if_deals === 'reject');
  work.record(pipelineFacts.updated, { before, after });
  return { pipeline: after, ...moved };
}

/**
 * Removes a pipeline. Its deals go to `move_deals_to`, else to the default pipeline: to the stage of the same slug,
 * else of the same type. Errors: `not_found`, `precondition_failed`, `default_pipeline`, `unknown_reference`.
 */
export async function deletePipeline(work: Work, id: string, move_deals_to?: string): Promise<void> {
  await holdChoiceOfDefault(work);
  const ids = move_deals_to ? [id, move_deals_to] : [id];
  const locked = await lockPipelines(work, ids, { with_default: !move_deals_to, whole: true });
  const before = locked.find((one) => one.id === id);
  if (!before) throw notFound();
  work.precondition(before);
  if (before.is_default) throw new Failure('default_pipeline');
  const target = locked.find((one) => one.id !== id);
  if (!target) throw unknownTarget(move_deals_to ?? id);
  const rehousings = before.stages.map((stage) => ({
    from: placed(stage, id),
    to: placed(destinationInOtherPipeline(stage, target.stages), target.id),
  }));
  await rehouseDeals(work, rehousings);
  work.remove(PipelineModel, id);
  work.record(pipelineFacts.deleted, { before, after: null });
}

function plansOf(sent: NonNullable<PipelineInput['stages']>): StagePlan[] {
  const result = replaceStages([], sent);
  if ('faults' in result) throw invalidAll(result.faults);
  return result.replacement.stages.map(({ plan }) => plan);
}

function insertPipeline(
  work: Work,
  fields: Omit<PipelineRow, 'id' | 'created_at' | 'updated_at'>,
  plans: readonly StagePlan[],
): PipelineDetail {
  const at = work.now.toISOString();
  const row = { id: newId('pipe', work.now), ...fields, created_at: at, updated_at: at };
  const stages = inStageOrder(plans.map((plan) => newStage(work, plan)));
  const pipeline: PipelineDetail = { ...pipelineOf(row), stages };
  work.insert(PipelineModel, row);
  insertStages(work, row.id, stages);
  work.record(pipelineFacts.created, { before: null, after: pipeline });
  return pipeline;
}

function insertStages(work: Work, pipeline_id: string, stages: readonly Stage[]): void {
  const rows = stages.map(({ object, ...stage }) => ({ pipeline_id, ...stage }));
  work.insertAll(StageModel, rows);
}

/** New stages first, then the deals, then the old stages go: at no time is a deal without its stage. */
async function replaceAll(work: Work, id: string, change: StageChange, reject: boolean): Promise<number> {
  if (reject) await refuseDeals(work, change.removed);
  insertStages(work, id, change.added);
  for (const { id: stage_id, object, created_at, ...columns } of change.changed) {
    work.update(StageModel, stage_id, columns);
  }
  const moved_deals = await rehouseDeals(work, change.rehousings);
  for (const { id: stage_id } of change.removed) work.remove(StageModel, stage_id);
  return moved_deals;
}

function noLongerDefault(work: Work, before: PipelineDetail): void {
  const after = { ...before, is_default: false, updated_at: work.touch(before) };
  work.update(PipelineModel, before.id, { is_default: false, updated_at: after.updated_at });
  work.record(pipelineFacts.updated, { before, after });
}

/** Behind all others. */
async function nextSortOrder(work: Work): Promise<number> {
  const [row] = await work.connection.query<{ next: number }>(
    'SELECT coalesce(max(sort_order) + 1, 0) AS next FROM crm_pipelines WHERE organization_id = $1',
    [work.organization_id],
  );
  return row!.next;
}

function unknownTarget(id: string): Failure {
  const message = {
    en: `${id} is no other pipeline of this organization`,
    ja: `${id} はこの組織のほかのパイプラインではありません`,
  };
  return new Failure('unknown_reference', {
    detail: joined([sameText('move_deals_to'), message], ': '),
    errors: [{ in: 'query', path: 'move_deals_to', code: 'unknown_reference', message }],
  });
}
