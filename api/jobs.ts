import { z } from 'zod';
import { cancelJob } from '../shared/jobs/operations.ts';
import { jobById, jobPage } from '../shared/jobs/queries.ts';
import { JobResource, jobStatuses } from '../shared/jobs/record.ts';
import { byId } from '../shared/kernel/schema.ts';
import { read, write } from './http/endpoint.ts';
import { list } from './http/list.ts';

const JobReply = z.strictObject({ job: JobResource });

const WHOSE = 'Jobs are shown to the one who asked for them and to holders of the scope of what they do.';

export const jobs = [
  list({
    id: 'jobs.list',
    path: '/api/v1/jobs',
    scope: 'jobs:read',
    summary: 'List jobs',
    description: WHOSE,
    item: JobResource,
    filters: z.object({
      kind: z
        .string()
        .max(100)
        .meta({ examples: ['crm.contacts.import'] })
        .optional(),
      status: z.enum(jobStatuses).optional(),
    }),
    handle: ({ filters, window }, reader) => jobPage(reader, filters, window),
  }),
  read({
    id: 'jobs.get',
    method: 'get',
    path: '/api/v1/jobs/:id',
    scope: 'jobs:read',
    summary: 'Read a job',
    description: WHOSE,
    params: byId('job'),
    reply: JobReply,
    handle: async ({ params }, reader) => ({ job: await jobById(reader, params.id) }),
  }),
  write({
    id: 'jobs.cancel',
    method: 'post',
    path: '/api/v1/jobs/:id/cancel',
    scope: 'jobs:read',
    summary: 'Cancel a job',
    description: 'A job that runs stops at its next step; what it has done by then stays.',
    params: byId('job'),
    reply: JobReply,
    raises: ['job_finished'],
    handle: async ({ params }, work) => ({ job: await cancelJob(work, params.id) }),
  }),
];
