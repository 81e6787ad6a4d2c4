import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Pipeline, PipelineDetail, Stage } from './record.ts';

export const pipelineColumns = [
  'id',
  'name',
  'is_default',
  'sort_order',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export const stageColumns = [
  'id',
  'name',
  'slug',
  'sort_order',
  'type',
  'probability',
  'stale_after_days',
  'color',
  'created_at',
  'updated_at',
] as const;

export type PipelineRow = Omit<Pipeline, 'object'>;
export type StageRow = Omit<Stage, 'object'> & { pipeline_id: string };

/** A row as the API shows it. */
export function pipelineOf(row: PipelineRow): Pipeline {
  const { id, ...rest } = row;
  return { id, object: 'crm.pipeline', ...rest };
}

/** A pipeline with its stages as the API shows it; `stages` in their order. */
export function pipelineDetailOf(row: PipelineRow, stages: Stage[]): PipelineDetail {
  return { ...pipelineOf(row), stages };
}

/** A row as the API shows it. */
export function stageOf(row: Omit<Stage, 'object'>): Stage {
  const { id, name, slug, sort_order, type, probability, stale_after_days, color } = row;
  const { created_at, updated_at } = row;
  const plan = { name, slug, sort_order, type, probability, stale_after_days, color };
  return { id, object: 'crm.stage', ...plan, created_at, updated_at };
}

/** The order in which stages stand: as numbered, then as they were made. */
export function inStageOrder<Placed extends { sort_order: number; id: string }>(
  stages: readonly Placed[],
): Placed[] {
  return stages.toSorted(
    (left, right) => left.sort_order - right.sort_order || (left.id < right.id ? -1 : 1),
  );
}

const PIPELINES = `SELECT ${pipelineColumns.join(', ')} FROM crm_pipelines WHERE organization_id = $1`;

/** All pipelines of the organization in their order. */
export async function allPipelines(reader: Reader): Promise<Pipeline[]> {
  const rows = await reader.connection.query<PipelineRow>(`${PIPELINES} ORDER BY sort_order, id`, [
    reader.organization_id,
  ]);
  return rows.map(pipelineOf);
}

/** One pipeline with its stages. Errors: `not_found`. */
export async function pipelineById(reader: Reader, id: string): Promise<PipelineDetail> {
  const [[row], stages] = await Promise.all([
    reader.connection.query<PipelineRow>(`${PIPELINES} AND id = $2`, [reader.organization_id, id]),
    stagesOfPipelines(reader, [id]),
  ]);
  if (!row) throw notFound();
  return pipelineDetailOf(row, stages.map(stageOf));
}

/** The stages of pipelines, in their order within each. */
export async function stagesOfPipelines(reader: Reader, ids: readonly string[]): Promise<StageRow[]> {
  return reader.connection.query<StageRow>(
    `SELECT pipeline_id, ${stageColumns.join(', ')} FROM crm_stages
      WHERE organization_id = $1 AND pipeline_id = ${oneOf('$2')} ORDER BY sort_order, id`,
    [reader.organization_id, ids],
  );
}
