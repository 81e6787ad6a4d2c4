import { z } from 'zod';
import { boardOf } from '../../shared/crm/board/queries.ts';
import { Board } from '../../shared/crm/board/record.ts';
import { byId, integerParameter } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';

export const board = [
  read({
    id: 'crm.pipelines.board',
    method: 'get',
    path: '/api/v1/crm/pipelines/:id/board',
    scope: 'crm:read',
    summary: 'Look at the board of a pipeline',
    description: 'All stages with their uppermost deals; counts and totals are of all deals of the stage.',
    params: byId('pipe'),
    query: z.strictObject({
      limit: integerParameter(1, 200).describe('Deals to answer of each stage: 50 unless said.').optional(),
    }),
    reply: z.strictObject({ board: Board }),
    handle: async ({ params, query }, reader) => ({
      board: await boardOf(reader, params.id, query.limit ?? 50),
    }),
  }),
];
