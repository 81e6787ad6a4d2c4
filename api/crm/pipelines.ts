import { z } from 'zod';
import { createPipeline, deletePipeline, updatePipeline } from '../../shared/crm/pipelines/operations.ts';
import { allPipelines, pipelineById } from '../../shared/crm/pipelines/queries.ts';
import { Pipeline, PipelineDetail, PipelineInput, PipelinePatch } from '../../shared/crm/pipelines/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';

const pipeline = resource({
  id: 'crm.pipelines',
  path: '/api/v1/crm/pipelines',
  domain: 'crm',
  one: 'a pipeline',
  prefix: 'pipe',
});

const PipelineReply = z.strictObject({ pipeline: PipelineDetail });

export const pipelines = [
  read({
    id: 'crm.pipelines.list',
    method: 'get',
    path: '/api/v1/crm/pipelines',
    scope: 'crm:read',
    summary: 'List all pipelines',
    description: 'In their order and without their stages.',
    reply: z.strictObject({ pipelines: z.array(Pipeline) }),
    handle: async (_, reader) => ({ pipelines: await allPipelines(reader) }),
  }),
  read({
    ...pipeline.get,
    summary: 'Read a pipeline with its stages',
    description: 'The stages are in their order. How many deals they hold is on the board.',
    reply: PipelineReply,
    handle: async ({ params }, reader) => ({ pipeline: await pipelineById(reader, params.id) }),
  }),
  write({
    ...pipeline.create,
    description:
      'Without stages it gets the six usual ones. The default pipeline is one: making this the default ends the old.',
    body: PipelineInput,
    reply: PipelineReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ pipeline: await createPipeline(work, body) }),
  }),
  write({
    ...pipeline.update,
    description:
      '`stages` replaces all stages. A stage whose slug stays keeps its ID and its deals. Deals of a removed stage go ' +
      'where `stage_mapping` says, else to the stage of the same type with the nearest lower `sort_order`, else the ' +
      'nearest higher, else to the first open stage; `moved_deals` counts them.',
    body: PipelinePatch,
    reply: z.strictObject({ pipeline: PipelineDetail, moved_deals: z.int().optional() }),
    raises: ['default_pipeline', 'in_use', 'already_exists'],
    handle: ({ params, body }, work) => updatePipeline(work, params.id, body),
  }),
  write({
    ...pipeline.delete,
    description:
      'The default pipeline stays. Deals of another move to the default pipeline, or to the one that `move_deals_to` ' +
      'names: to the stage of the same slug, else of the same type.',
    query: z.strictObject({ move_deals_to: id('pipe').optional() }),
    raises: ['default_pipeline', 'unknown_reference'],
    handle: async ({ params, query }, work) => {
      await deletePipeline(work, params.id, query.move_deals_to);
      return deleted;
    },
  }),
];
