import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import { joined, sameText } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { type DealRow, type DealStage, dealStageColumns, type LockedDeal, lockDeal } from './rows.ts';

/* The locks of this file are the second and third of the order stated in pipelines/locks.ts. */

/** Where a caller wants a deal to be. */
export type Wish = { pipeline_id?: string; stage_id?: string };

/**
 * The stage that a new deal begins in: the one wished for, else the first open one of the pipeline; the pipeline is
 * that of the stage, else the default one. It is held until the work commits.
 * Errors: `unknown_reference` at /pipeline_id or /stage_id.
 */
export async function firstStage(work: Work, { pipeline_id, stage_id }: Wish): Promise<DealStage> {
  const [pipeline] = await work.connection.query<{ id: string }>(
    `SELECT id FROM crm_pipelines
      WHERE organization_id = $1 AND id = coalesce(
        $2,
        (SELECT pipeline_id FROM crm_stages WHERE organization_id = $1 AND id = $3),
        (SELECT id FROM crm_pipelines WHERE organization_id = $1 AND is_default))
        FOR KEY SHARE`,
    [work.organization_id, pipeline_id ?? null, stage_id ?? null],
  );
  if (!pipeline)
    throw unknownReference(
      '/pipeline_id',
      pipeline_id ?? { en: 'A default pipeline', ja: '既定のパイプライン' },
    );
  const stages = await stagesOf(work, pipeline.id);
  if (stage_id) return stages.find(({ id }) => id === stage_id) ?? refuseStage(stage_id);
  return stages.find(({ type }) => type === 'open')!;
}

/**
 * A deal that is about to move, locked; the pipelines that it leaves and enters are held, and with `placed` the
 * stage on whose board it gets its place. Errors: `not_found`.
 */
export async function lockDealToMove(
  work: Work,
  id: string,
  wish: Wish & { placed: boolean },
): Promise<LockedDeal> {
  const { organization_id, connection } = work;
  const holding = connection.query<{ id: string }>(
    `SELECT id FROM crm_pipelines
      WHERE organization_id = $1 AND (
        id = $3 OR id = (SELECT pipeline_id FROM crm_deals WHERE organization_id = $1 AND id = $2))
      ORDER BY id FOR KEY SHARE`,
    [organization_id, id, wish.pipeline_id ?? null],
  );
  const placing = wish.placed
    ? connection.query<{ id: string }>(
        `SELECT id FROM crm_stages
          WHERE organization_id = $1 AND id = coalesce(
            $3, (SELECT stage_id FROM crm_deals WHERE organization_id = $1 AND id = $2))
            FOR NO KEY UPDATE`,
        [organization_id, id, wish.stage_id ?? null],
      )
    : Promise.resolve([]);
  const [held, board, deal] = await Promise.all([holding, placing, lockDeal(work, id)]);
  // Between the statements another request may have moved the deal. Its new place is then held out of order; two
  // requests that wait for each other are ordered by the database, and one of them runs again.
  if (!held.some((one) => one.id === deal.row.pipeline_id)) {
    await connection.query('SELECT FROM crm_pipelines WHERE organization_id = $1 AND id = $2 FOR KEY SHARE', [
      organization_id,
      deal.row.pipeline_id,
    ]);
  }
  const stage_id = wish.stage_id ?? deal.row.stage_id;
  if (wish.placed && board[0]?.id !== stage_id) {
    await connection.query(
      'SELECT FROM crm_stages WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organization_id, stage_id],
    );
  }
  return deal;
}

/**
 * The stage that a locked deal goes to, its own when nothing else is wished for. Another pipeline is entered by one
 * of its stages, or by that of the same slug.
 * Errors: `unknown_reference` at /pipeline_id or /stage_id, `validation_failed` at /stage_id.
 */
export async function stageAfter(work: Work, row: DealRow, stage: DealStage, wish: Wish): Promise<DealStage> {
  const { pipeline_id = row.pipeline_id, stage_id } = wish;
  const stays = pipeline_id === row.pipeline_id && (stage_id ?? row.stage_id) === row.stage_id;
  if (stays) return stage;
  const stages = await stagesOf(work, pipeline_id);
  if (stages.length === 0) throw unknownReference('/pipeline_id', pipeline_id);
  if (stage_id) return stages.find(({ id }) => id === stage_id) ?? refuseStage(stage_id);
  const alike = stages.find(({ slug }) => slug === stage.slug);
  if (alike) return alike;
  throw invalid('/stage_id', 'required', {
    en: `stage_id is required: the pipeline has no stage ${stage.slug}`,
    ja: `stage_id は必須です。パイプラインにステージ ${stage.slug} がありません`,
  });
}

function stagesOf(work: Work, pipeline_id: string): Promise<DealStage[]> {
  return work.connection.query<DealStage>(
    `SELECT ${dealStageColumns.join(', ')} FROM crm_stages
      WHERE organization_id = $1 AND pipeline_id = $2 ORDER BY sort_order, id`,
    [work.organization_id, pipeline_id],
  );
}

function refuseStage(stage_id: string): never {
  const message = {
    en: `${stage_id} is no stage of the deal's pipeline`,
    ja: `${stage_id} は案件のパイプラインのステージではありません`,
  };
  throw new Failure('unknown_reference', {
    detail: joined([sameText('stage_id'), message], ': '),
    errors: [{ in: 'body', path: '/stage_id', code: 'unknown_reference', message }],
  });
}
