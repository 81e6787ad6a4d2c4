import { notFound } from '../../kernel/failure.ts';
import { minorUnits, shownAmount } from '../../kernel/money.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type DealRow, dealColumns, dealOf, linksOf } from '../deals/rows.ts';
import { type StageRow, stageColumns, stageOf } from '../pipelines/queries.ts';
import type { Board } from './record.ts';

type Total = { currency: string; count: number; amount: string; weighted_amount: string };

/**
 * The board of a pipeline with up to `limit` deals of each stage: the deals are read in their order from an index,
 * the totals from the same index without looking at their rows. Errors: `not_found`.
 */
export async function boardOf(reader: Reader, pipeline_id: string, limit: number): Promise<Board> {
  const { connection, organization_id } = reader;
  const [stages, deals] = await Promise.all([
    connection.query<StageRow & { totals: Total[] }>(STAGES, [
      organization_id,
      pipeline_id,
      ...unusualCurrencies(),
    ]),
    connection.query<DealRow>(UPPERMOST_DEALS, [organization_id, pipeline_id, limit]),
  ]);
  if (stages.length === 0) throw notFound();
  const links = await linksOf(
    reader,
    deals.map(({ id }) => id),
  );
  const byStage = Map.groupBy(deals, ({ stage_id }) => stage_id);
  const shown = stages.map((row) => ({
    stage: stageOf(row),
    deals: (byStage.get(row.id) ?? []).map((deal) => dealOf(deal, row, links(deal.id), reader.now)),
    count: row.totals.reduce((sum, { count }) => sum + count, 0),
    totals: row.totals.map(({ currency, amount, weighted_amount }) => ({
      currency,
      amount: shownAmount(amount, currency),
      weighted_amount: shownAmount(weighted_amount, currency),
    })),
  }));
  return { pipeline_id, stages: shown };
}

let unusual: [codes: string[], decimals: number[]] | undefined;

/** Currencies whose smallest unit is not the hundredth, and their decimals, as two columns. */
function unusualCurrencies(): [codes: string[], decimals: number[]] {
  if (unusual) return unusual;
  const codes = Intl.supportedValuesOf('currency').filter((currency) => minorUnits(currency) !== 2);
  unusual = [codes, codes.map(minorUnits)];
  return unusual;
}

const STAGES = `
  SELECT stage.pipeline_id, ${stageColumns.map((column) => `stage.${column}`).join(', ')},
         (SELECT coalesce(jsonb_agg(total ORDER BY total.currency), '[]')
            FROM (
              SELECT deal.currency, count(*) AS count, sum(deal.amount)::text AS amount,
                     sum(round(deal.amount * deal.probability * 0.01, coalesce(unit.decimals, 2)))::text
                       AS weighted_amount
                FROM crm_deals AS deal
                LEFT JOIN unnest($3::text[], $4::integer[]) AS unit (currency, decimals)
                  ON unit.currency = deal.currency
               WHERE deal.organization_id = $1 AND deal.stage_id = stage.id
               GROUP BY deal.currency
            ) AS total
         ) AS totals
    FROM crm_stages AS stage
   WHERE stage.organization_id = $1 AND stage.pipeline_id = $2
   ORDER BY stage.sort_order, stage.id`;

const UPPERMOST_DEALS = `
  SELECT deal.*
    FROM crm_stages AS stage
   CROSS JOIN LATERAL (
      SELECT ${dealColumns.join(', ')} FROM crm_deals
       WHERE organization_id = $1 AND stage_id = stage.id
       ORDER BY position, id LIMIT $3
   ) AS deal
   WHERE stage.organization_id = $1 AND stage.pipeline_id = $2
   ORDER BY deal.position, deal.id`;
