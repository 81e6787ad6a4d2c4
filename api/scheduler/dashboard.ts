import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import { schedulerDashboard } from '../../shared/scheduler/dashboard/queries.ts';
import { SchedulerDashboard } from '../../shared/scheduler/dashboard/record.ts';
import { read } from '../http/endpoint.ts';

export const dashboard = [
  read({
    id: 'scheduler.dashboard.get',
    method: 'get',
    path: '/api/v1/scheduler/dashboard',
    scope: 'scheduler:read',
    summary: 'Read the dashboard',
    description:
      'Each number is the total of the list of bookings, or of proposals, with the filters that it stands for: `today` is that of `status=confirmed,completed` with `start_from` and `start_to`.',
    query: z.strictObject({ user_id: id('usr').describe('Of one host alone.').optional() }),
    reply: z.strictObject({ dashboard: SchedulerDashboard }),
    handle: async ({ query: { user_id = null } }, reader) => ({
      dashboard: await schedulerDashboard(reader, user_id),
    }),
  }),
];
