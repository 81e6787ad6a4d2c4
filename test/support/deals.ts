import assert from 'node:assert/strict';
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
