import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { statusInStage } from '../deal-status.ts';
import { recountCompanies } from './company-totals.ts';
import { recordDealChange } from './facts.ts';
import { type DealRow, type DealStage, dealColumns, dealOf, linksOf } from './rows.ts';

/** All deals of the stage `from` are to be in `to`: another stage, or the same one with another type or probability. */
export type Rehousing = { from: DealStage; to: DealStage };

/**
 * Moves deals along with stages that were removed or changed, and says so for each of them. The caller holds their
 * pipelines whole. Deals keep their place among each other. Answers how many changed their stage.
 */
export async function rehouseDeals(work: Work, rehousings: readonly Rehousing[]): Promise<number> {
  if (rehousings.length === 0) return 0;
  const byStage = new Map(rehousings.map((one) => [one.from.id, one]));
  // Each deal is fetched before it is written, so none of those that are written stands in the way of the cursor.
  const batches = cursorBatches<DealRow>(
    work.connection,
    `SELECT ${dealColumns.join(', ')} FROM crm_deals
      WHERE organization_id = $1 AND stage_id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, [...byStage.keys()]],
    FACTS_TOGETHER,
  );
  const companies = new Set<string>();
  let moved = 0;
  for await (const rows of batches) {
    moved += await rehouseSome(work, rows, byStage, companies);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  recountCompanies(work, companies);
  return moved;
}

/** Adds the companies whose totals change; answers how many deals changed their stage. */
async function rehouseSome(
  work: Work,
  rows: readonly DealRow[],
  byStage: ReadonlyMap<string, Rehousing>,
  companies: Set<string>,
): Promise<number> {
  const links = await linksOf(
    work,
    rows.map(({ id }) => id),
  );
  const changed = rows.map((row) => {
    const { from, to } = byStage.get(row.stage_id)!;
    return { row, from, to, after: rehoused(work, row, from, to) };
  });
  work.run(WRITE, [work.organization_id, JSON.stringify(changed.map(({ after }) => after))]);
  for (const { row, from, to, after } of changed) {
    if (row.company_id && (row.status === 'open') !== (after.status === 'open'))
      companies.add(row.company_id);
    if (row.updated_at === after.updated_at) continue;
    const own = links(row.id);
    recordDealChange(work, dealOf(row, from, own, work.now), dealOf(after, to, own, work.now), false);
  }
  return changed.filter(({ row, after }) => row.stage_id !== after.stage_id).length;
}

/** A probability that follows from the stage is a change of the deal too; a place in the same stage is none. */
function rehoused(work: Work, row: DealRow, from: DealStage, to: DealStage): DealRow {
  const probability = row.has_own_probability ? row.probability : to.probability;
  if (from.id === to.id && from.type === to.type) {
    return probability === row.probability ? row : { ...row, probability, updated_at: work.touch(row) };
  }
  const moved = from.id === to.id ? {} : { last_stage_id: null, stage_entered_at: work.now.toISOString() };
  return {
    ...row,
    ...statusInStage(row, to.type, work.now),
    ...moved,
    pipeline_id: to.pipeline_id,
    stage_id: to.id,
    probability,
    updated_at: work.touch(row),
  };
}

/** The stage that a deal left is about to be removed, so it has no last stage. */
const WRITE = `
  UPDATE crm_deals AS deal
     SET pipeline_id = changed.pipeline_id, stage_id = changed.stage_id, status = changed.status,
         probability = changed.probability, closed_at = changed.closed_at, lost_reason = changed.lost_reason,
         last_stage_id = changed.last_stage_id, stage_entered_at = changed.stage_entered_at,
         updated_at = changed.updated_at
    FROM jsonb_populate_recordset(null::crm_deals, $2) AS changed
   WHERE deal.organization_id = $1 AND deal.id = changed.id`;
