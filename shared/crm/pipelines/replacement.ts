import { Failure, invalid, invalidAll } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { Rehousing } from '../deals/rehouse.ts';
import type { DealStage } from '../deals/rows.ts';
import { replaceStages } from '../stage-replacement.ts';
import type { StagePlan } from '../stage-types.ts';
import { inStageOrder } from './queries.ts';
import type { PipelineDetail, PipelinePatch, Stage } from './record.ts';

/** A replacement of stages, thought out and not yet done. */
export type StageChange = {
  /** All stages afterwards, in their order. */
  stages: Stage[];
  added: Stage[];
  changed: Stage[];
  removed: Stage[];
  rehousings: Rehousing[];
};

/**
 * What a patch makes of the stages of a pipeline; null when it does not touch them.
 * Errors: `validation_failed` at the places of the list and the mapping.
 */
export function stageChange(work: Work, pipeline: PipelineDetail, patch: PipelinePatch): StageChange | null {
  if (!patch.stages) {
    if (!patch.stage_mapping) return null;
    throw invalid('/stage_mapping', 'needs_stages', {
      en: 'stage_mapping needs stages beside it',
      ja: 'stage_mapping には stages もあわせて指定してください',
    });
  }
  const result = replaceStages(pipeline.stages, patch.stages, patch.stage_mapping);
  if ('faults' in result) throw invalidAll(result.faults);
  const { removed } = result.replacement;
  const now = result.replacement.stages.map(({ plan, old }) => ({ old, stage: stageAfter(work, plan, old) }));
  const kept = now.flatMap(({ old, stage }) => (old && stage !== old ? [{ old, stage }] : []));
  const inPlace = (stage: Stage) => placed(stage, pipeline.id);
  return {
    stages: inStageOrder(now.map(({ stage }) => stage)),
    added: now.filter(({ old }) => !old).map(({ stage }) => stage),
    changed: kept.map(({ stage }) => stage),
    removed: removed.map(({ old }) => old),
    rehousings: [
      ...removed.map(({ old, destination }) => ({
        from: inPlace(old),
        to: inPlace(now.find(({ stage }) => stage.slug === destination)!.stage),
      })),
      ...kept
        .filter(({ old, stage }) => old.type !== stage.type || old.probability !== stage.probability)
        .map(({ old, stage }) => ({ from: inPlace(old), to: inPlace(stage) })),
    ],
  };
}

/** A stage made from a plan; the old one itself when nothing changes. */
function stageAfter(work: Work, plan: StagePlan, old: Stage | null): Stage {
  if (!old) return newStage(work, plan);
  const isSame = Object.entries(plan).every(([field, value]) => old[field as keyof Stage] === value);
  return isSame ? old : { ...old, ...plan, updated_at: work.touch(old) };
}

/** A stage that has just been made. */
export function newStage(work: Work, plan: StagePlan): Stage {
  const at = work.now.toISOString();
  return {
    id: newId('pstage', work.now),
    object: 'crm.stage',
    ...plan,
    created_at: at,
    updated_at: at,
  };
}

/** A stage as deals know it. */
export function placed(stage: Stage, pipeline_id: string): DealStage {
  const { id, slug, type, probability, stale_after_days } = stage;
  return { id, pipeline_id, slug, type, probability, stale_after_days };
}

/** Errors: `in_use` with the counts by slug, when deals are in stages that are to be removed. */
export async function refuseDeals(work: Work, removed: readonly Stage[]): Promise<void> {
  const counts = await work.connection.query<{ stage_id: string; count: number }>(
    `SELECT stage_id, count(*) FROM crm_deals WHERE organization_id = $1 AND stage_id = ANY ($2)
      GROUP BY stage_id`,
    [work.organization_id, removed.map(({ id }) => id)],
  );
  if (counts.length === 0) return;
  const deals = Object.fromEntries(
    counts.map(({ stage_id, count }) => [removed.find(({ id }) => id === stage_id)!.slug, count]),
  );
  const named = Object.entries(deals).map(([slug, count]) => `${slug} (${count})`);
  throw new Failure('in_use', {
    detail: {
      en: `There are deals in: ${named.join(', ')}`,
      ja: `次のステージに案件があります：${named.join('、')}`,
    },
    members: { deals },
  });
}
