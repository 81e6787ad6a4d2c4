import type { Work } from '../../../kernel/work.ts';
import { normalise } from '../../../platform/search/normalise.ts';
import { bottomPosition } from '../../board-position.ts';
import { type DealStage, dealStageColumns } from '../../deals/rows.ts';
import { ambiguous, type Fault, missing, unknown, type Values } from '../row.ts';

type Stage = DealStage & { name: string };
type Pipeline = { id: string; name: string; is_default: boolean; stages: Stage[] };

export type Stages = {
  /** The stage that a row puts a new deal in. Faults: `unknown_reference`, `ambiguous`. */
  first(values: Values): DealStage | Fault;
  /** The stage that a row moves a deal to, its own when it names none. Faults: those above, `required`. */
  after(present: DealStage, values: Values): DealStage | Fault;
  byId(id: string): DealStage;
  /** The place below all deals of a stage; the next one is below that. */
  bottom(stage_id: string): string;
};

/**
 * The pipelines of the organization with their stages, held as they are until the work commits, and the last place
 * of each stage. Names are compared without regard to case and width.
 */
export async function stagesIn(work: Work): Promise<Stages> {
  const pipelines = await holdPipelines(work);
  const all = new Map(pipelines.flatMap(({ stages }) => stages.map((stage) => [stage.id, stage])));
  const bottoms = await lastPlaces(work, [...all.keys()]);

  function pipelineNamed({ pipeline, pipeline_id }: Values): Pipeline | Fault | null {
    const byId = pipelines.find(({ id }) => id === pipeline_id);
    if (byId) return byId;
    if (pipeline === undefined) {
      return pipeline_id === undefined ? null : unknown('pipeline_id', pipeline_id);
    }
    const found = pipelines.filter(({ name }) => normalise(name) === normalise(pipeline as string));
    if (found.length > 1) return ambiguous('pipeline', pipeline);
    return (
      found[0] ??
      unknown(
        'pipeline',
        pipeline,
        pipelines.map(({ name }) => name),
      )
    );
  }

  function stageNamed({ stages }: Pipeline, { stage, stage_id }: Values): Stage | Fault | null {
    const byId = stages.find(({ id }) => id === stage_id);
    if (byId) return byId;
    if (stage === undefined) return stage_id === undefined ? null : unknown('stage_id', stage_id);
    const folded = normalise(stage as string);
    const bySlug = stages.find(({ slug }) => slug === folded);
    if (bySlug) return bySlug;
    const found = stages.filter(({ name }) => normalise(name) === folded);
    if (found.length > 1) return ambiguous('stage', stage);
    return (
      found[0] ??
      unknown(
        'stage',
        stage,
        stages.map(({ name }) => name),
      )
    );
  }

  /** A row that names a stage by its ID need not name its pipeline. */
  function holder(values: Values): Pipeline | undefined {
    return pipelines.find(({ stages }) => stages.some(({ id }) => id === values['stage_id']));
  }

  return {
    first(values) {
      const named = pipelineNamed(values);
      if (named && 'code' in named) return named;
      const pipeline = named ?? holder(values) ?? pipelines.find(({ is_default }) => is_default);
      if (!pipeline) return unknown('pipeline', 'A default pipeline');
      return stageNamed(pipeline, values) ?? pipeline.stages.find(({ type }) => type === 'open')!;
    },
    after(present, values) {
      const named = pipelineNamed(values);
      if (named && 'code' in named) return named;
      const pipeline = named ?? pipelines.find(({ id }) => id === present.pipeline_id)!;
      const stage = stageNamed(pipeline, values);
      if (stage) return stage;
      if (pipeline.id === present.pipeline_id) return present;
      return pipeline.stages.find(({ slug }) => slug === present.slug) ?? missing('stage');
    },
    byId: (id) => all.get(id)!,
    bottom(stage_id) {
      const position = bottomPosition(bottoms.get(stage_id) ?? null, work.now);
      bottoms.set(stage_id, position);
      return position;
    },
  };
}

async function holdPipelines(work: Work): Promise<Pipeline[]> {
  const pipelines = await work.connection.query<Omit<Pipeline, 'stages'>>(
    'SELECT id, name, is_default FROM crm_pipelines WHERE organization_id = $1 ORDER BY id FOR KEY SHARE',
    [work.organization_id],
  );
  const stages = await work.connection.query<Stage>(
    `SELECT name, ${dealStageColumns.join(', ')} FROM crm_stages
      WHERE organization_id = $1 ORDER BY sort_order, id`,
    [work.organization_id],
  );
  const byPipeline = Map.groupBy(stages, ({ pipeline_id }) => pipeline_id);
  return pipelines.map((pipeline) => ({ ...pipeline, stages: byPipeline.get(pipeline.id) ?? [] }));
}

async function lastPlaces(work: Work, stage_ids: readonly string[]): Promise<Map<string, string>> {
  const places = await work.connection.query<{ id: string; position: string }>(
    `SELECT stage.id, last.position FROM unnest($2::text[]) AS stage (id), LATERAL (
       SELECT position FROM crm_deals WHERE organization_id = $1 AND stage_id = stage.id
        ORDER BY position DESC, id DESC LIMIT 1) AS last`,
    [work.organization_id, stage_ids],
    { prepared: false },
  );
  return new Map(places.map(({ id, position }) => [id, position]));
}
