import { z } from 'zod';
import { createActivity, deleteActivity, updateActivity } from '../../shared/crm/activities/operations.ts';
import { activityById, activityPage } from '../../shared/crm/activities/queries.ts';
import {
  Activity,
  ActivityInput,
  ActivityPatch,
  activityKind,
  activityTypes,
} from '../../shared/crm/activities/record.ts';
import { activityExport } from '../../shared/crm/exports/activities.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';

const activity = resource({
  id: 'crm.activities',
  path: '/api/v1/crm/activities',
  domain: 'crm',
  one: 'an activity',
  prefix: 'act',
});

const ActivityReply = z.strictObject({ activity: Activity });

const activityList = list({
  ...activity.list,
  summary: 'List activities',
  description:
    'All filters hold together. The default order is by `created_at`; `occurred_at` says when something took place. The timeline shows them among all else that happened to a record.',
  item: Activity,
  looked_up: activityKind,
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
    ...activity.get,
    description: '`created_by` is who noted it; for a key, the person who made the key.',
    reply: ActivityReply,
    handle: async ({ params }, reader) => ({ activity: await activityById(reader, params.id) }),
  }),
  write({
    ...activity.create,
    description:
      'It is about a deal, a contact and a company, about some of them, or about none. `occurred_at` is now unless sent; one with `due_at` and without `done_at` is still to be done.',
    body: ActivityInput,
    reply: ActivityReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ body }, work) => ({ activity: await createActivity(work, body) }),
  }),
  write({
    ...activity.update,
    body: ActivityPatch,
    reply: ActivityReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ params, body }, work) => ({ activity: await updateActivity(work, params.id, body) }),
  }),
  write({
    ...activity.delete,
    description:
      'It also leaves the timelines of its deal, contact and company, which stay. The audit log keeps its text.',
    handle: deleting(deleteActivity),
  }),
];
