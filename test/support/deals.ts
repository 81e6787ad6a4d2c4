import assert from 'node:assert/strict';
import { newId } from '../../shared/kernel/id.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** What tests about deals begin with: a member, the default pipeline of the organization and its stages by slug. */
export type Sales = Client & {
  organization_id: string;
  user_id: string;
  pipeline: Shown;
  stage: Record<string, string>;
  /** Makes a deal and sees that it was made. */
  deal(fields?: Record<string, unknown>): Promise<Shown>;
  /** Makes any record and answers it, sent to the path of its collection. */
  make(path: string, fields: Record<string, unknown>): Promise<Shown>;
};

/** An organization with its six usual stages. */
export async function newSales(app: TestApp): Promise<Sales> {
  const client = await app.actor();
  async function make(path: string, fields: Record<string, unknown>): Promise<Shown> {
    const reply = await client.post(path, fields);
    assert.equal(reply.status, 201, reply.text);
    return Object.values(reply.body)[0];
  }
  const pipeline = await make('/crm/pipelines', { name: '営業' });
  return {
    ...client,
    organization_id: client.actor.organization_id,
    user_id: client.actor.user_id,
    pipeline,
    stage: stagesBySlug(pipeline),
    make,
    deal: (fields = {}) => make('/crm/deals', { name: '更新', ...fields }),
  };
}

/** The IDs of a pipeline's stages by their slugs. */
export function stagesBySlug(pipeline: { stages: { id: string; slug: string }[] }): Record<string, string> {
  return Object.fromEntries(pipeline.stages.map(({ slug, id }) => [slug, id]));
}

/** Copies of a deal, written straight into the table, at the same place of the board. Answers their IDs. */
export async function copyDeal(
  app: TestApp,
  sales: Sales,
  deal: { id: string },
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('deal', new Date()));
  await app.database.withConnection(sales.organization_id, ({ query }) =>
    query(
      `INSERT INTO crm_deals (organization_id, id, name, pipeline_id, stage_id, status, amount, currency, probability,
         has_own_probability, stage_entered_at, position, custom_fields, sort_name, own_search_text, own_search_grams,
         company_search_text, company_search_grams, created_at, updated_at)
       SELECT organization_id, copy.id, name, pipeline_id, stage_id, status, amount, currency, probability,
         has_own_probability, stage_entered_at, position, custom_fields, sort_name, own_search_text, own_search_grams,
         company_search_text, company_search_grams, created_at, updated_at
         FROM crm_deals, unnest($3::text[]) AS copy (id) WHERE organization_id = $1 AND crm_deals.id = $2`,
      [sales.organization_id, deal.id, ids],
    ),
  );
  return ids;
}
