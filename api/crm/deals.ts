import { z } from 'zod';
import { createDeal, deleteDeal, moveDeal, updateDeal } from '../../shared/crm/deals/operations.ts';
import { dealPage } from '../../shared/crm/deals/queries.ts';
import { Deal, DealInput, DealMove, DealPatch, dealKind } from '../../shared/crm/deals/record.ts';
import { dealById } from '../../shared/crm/deals/rows.ts';
import { dealExport } from '../../shared/crm/exports/deals.ts';
import { stageTypes } from '../../shared/crm/stage-types.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { upsert } from '../http/upsert.ts';

const deal = resource({
  id: 'crm.deals',
  path: '/api/v1/crm/deals',
  domain: 'crm',
  one: 'a deal',
  prefix: 'deal',
});

const DealReply = z.strictObject({ deal: Deal });

const dealList = list({
  ...deal.list,
  summary: 'List deals',
  description:
    'Open, won and lost deals of all pipelines unless a filter is sent; all filters hold together.',
  item: Deal,
  looked_up: dealKind,
  filters: z.object({
    search: z
      .string()
      .max(200)
      .describe('Part of the name, or of the name of its company or its kana.')
      .meta({ examples: ['更新'] })
      .optional(),
    pipeline_id: id('pipe').optional(),
    stage_id: id('pstage').optional(),
    status: manyOf(z.enum(stageTypes))
      .describe('One or more, with commas between.')
      .meta({ examples: ['won,lost'] })
      .optional(),
    company_id: id('comp').optional(),
    contact_id: id('cont').optional(),
    owner_id: id('usr').optional(),
    tag_id: id('tag').optional(),
  }),
  sorts: ['name', 'amount', 'expected_close_date', 'probability'],
  handle: ({ filters, window }, reader) => dealPage(reader, filters, window),
});

export const deals = [
  dealList,
  exportOf(dealList, dealExport),
  read({
    ...deal.get,
    description:
      '`days_in_stage` and `is_stale` are computed for each answer: they change without an event, and `updated_at` stays.',
    reply: DealReply,
    handle: async ({ params }, reader) => ({ deal: await dealById(reader, params.id) }),
  }),
  write({
    ...deal.create,
    description:
      'It begins in the first open stage of the default pipeline unless said, below all others there.',
    body: DealInput,
    reply: DealReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ body }, work) => ({ deal: await createDeal(work, body) }),
  }),
  write({
    ...deal.update,
    description:
      `${FIELDS_SENT} A \`stage_id\` moves the deal: from open to open, won ` +
      'or lost (which needs `lost_reason`), from won or lost back to open. Another `pipeline_id` needs a `stage_id` ' +
      'of it, or keeps the slug of the stage.',
    body: DealPatch,
    reply: DealReply,
    raises: ['unknown_reference', 'already_exists', 'invalid_transition'],
    handle: async ({ params, body }, work) => ({ deal: await updateDeal(work, params.id, body) }),
  }),
  write({
    id: 'crm.deals.move',
    method: 'post',
    path: '/api/v1/crm/deals/:id/move',
    scope: 'crm:write',
    summary: 'Move a deal on the board',
    description:
      'To a stage of its pipeline and a place there: above the deal `before_id` or below the deal `after_id`. ' +
      'Without either it comes below all others of a new stage.',
    params: byId('deal'),
    body: DealMove,
    reply: DealReply,
    raises: ['unknown_reference', 'invalid_transition'],
    handle: async ({ params, body }, work) => ({ deal: await moveDeal(work, params.id, body) }),
  }),
  upsert({
    ...deal.upsert,
    kind: dealKind,
    input: DealInput,
    patch: DealPatch,
    reply: DealReply,
    raises: ['unknown_reference', 'invalid_transition'],
    create: createDeal,
    update: updateDeal,
    show: (deal) => ({ deal }),
  }),
  write({
    ...deal.delete,
    description: 'Its activities stay and lose the link.',
    handle: deleting(deleteDeal),
  }),
];
