import type { Work } from '../../kernel/work.ts';
import {
  type PipelineRow,
  pipelineColumns,
  pipelineDetailOf,
  stageOf,
  stagesOfPipelines,
} from './queries.ts';
import type { PipelineDetail } from './record.ts';

/*
 * The order in which writes of pipelines and deals take their locks; nobody waits for what stands before:
 *
 *   1. the organization, by whoever chooses the default pipeline or relies on the choice while removing another;
 *   2. pipelines by ID: whole by who replaces their stages or removes them, as a key by who puts a deal into one, so
 *      that no stage vanishes or changes under a deal on its way;
 *   3. a stage, by who gives a deal its place in it;
 *   4. deals by ID;
 *   5. companies by ID, whose totals of open deals change.
 */

/** Lets one request at a time choose the default pipeline of the organization. */
export async function holdChoiceOfDefault(work: Work): Promise<void> {
  const text = 'SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE';
  await work.connection.query(text, [work.organization_id]);
}

/**
 * The pipelines of those IDs, with their stages, locked until the work commits; `with_default` adds the default one.
 * `whole` keeps deals from coming in or moving meanwhile, as the replacement of stages needs it.
 */
export async function lockPipelines(
  work: Work,
  ids: readonly string[],
  options: { with_default: boolean; whole: boolean },
): Promise<PipelineDetail[]> {
  const condition = options.with_default ? '(id = ANY ($2) OR is_default)' : 'id = ANY ($2)';
  const columns = pipelineColumns.join(', ');
  const rows = await work.connection.query<PipelineRow>(
    `SELECT ${columns} FROM crm_pipelines WHERE organization_id = $1 AND ${condition}
      ORDER BY id FOR ${options.whole ? 'UPDATE' : 'NO KEY UPDATE'}`,
    [work.organization_id, ids],
  );
  const locked = rows.map(({ id }) => id);
  const stages = Map.groupBy(await stagesOfPipelines(work, locked), ({ pipeline_id }) => pipeline_id);
  return rows.map((row) => pipelineDetailOf(row, (stages.get(row.id) ?? []).map(stageOf)));
}
