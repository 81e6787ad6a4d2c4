import { z } from 'zod';
import { createActivity, deleteActivity, updateActivity } from '../../shared/crm/activities/operations.ts';
import { activityById, activityPage } from '../../shared/crm/activities/queries.ts';
import { Activity, ActivityInput, ActivityPatch, activityTypes } from '../../shared/crm/activities/record.ts';
import { activityExport } from '../../shared/crm/exports/activities.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const ActivityReply = z.strictObject({ activity: Activity });

const activityList = list({
  id: 'crm.activities.list',
  path: '/api/v1/crm/activities',
  scope: 'crm:read',
  summary: 'List activities',
  description:
    'All filters hold together. The default order is by `created_at`; `occurred_at` says when something took place. The timeline shows them among all else that happened to a record.',
  item: Activity,
  filters: z.object({
    type: z.enum(activityTypes).optional(),
    deal_id: id('deal').optional(),
    contact_id: id('cont').optional(),
    company_id: id('comp').optional(),
  }),
  handle: ({ filters, window }, reader) => activityPage(reader, filters, window),
});

export const activities = [
  activityList,
  exportOf(activityList, activityExport),
  read({
    id: 'crm.activities.get',
    method: 'get',
    path: '/api/v1/crm/activities/:id',
    scope: 'crm:read',
    summary: 'Read an activity',
    description: '`created_by` is who noted it; for a key, the person who made the key.',
    params: byId('act'),
    reply: ActivityReply,
    handle: async ({ params }, reader) => ({ activity: await activityById(reader, params.id) }),
  }),
  write({
    id: 'crm.activities.create',
    method: 'post',
    path: '/api/v1/crm/activities',
    scope: 'crm:write',
    summary: 'Create an activity',
    description:
      'It is about a deal, a contact and a company, about some of them, or about none. `occurred_at` is now unless sent; one with `due_at` and without `done_at` is still to be done.',
    body: ActivityInput,
    status: 201,
    reply: ActivityReply,
    raises: ['unknown_reference'],
    handle: async ({ body }, work) => ({ activity: await createActivity(work, body) }),
  }),
  write({
    id: 'crm.activities.update',
    method: 'patch',
    path: '/api/v1/crm/activities/:id',
    scope: 'crm:write',
    summary: 'Change an activity',
    description: 'Only the fields sent change; null clears an optional one.',
    params: byId('act'),
    body: ActivityPatch,
    reply: ActivityReply,
    raises: ['unknown_reference'],
    handle: async ({ params, body }, work) => ({ activity: await updateActivity(work, params.id, body) }),
  }),
  write({
    id: 'crm.activities.delete',
    method: 'delete',
    path: '/api/v1/crm/activities/:id',
    scope: 'crm:write',
    summary: 'Delete an activity',
    description:
      'It also leaves the timelines of its deal, contact and company, which stay. The audit log keeps its text.',
    params: byId('act'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteActivity(work, params.id);
      return deleted;
    },
  }),
];
