import { z } from 'zod';
import { domains } from '../shared/domains.ts';
import { byId } from '../shared/kernel/schema.ts';
import { cancelsPausedImport } from '../shared/platform/imports/operations.ts';
import { jobFile } from '../shared/platform/jobs/files.ts';
import { cancelJob } from '../shared/platform/jobs/operations.ts';
import { jobEvents } from '../shared/platform/jobs/progress.ts';
import { jobById, jobPage } from '../shared/platform/jobs/queries.ts';
import { JobProgress, JobResource, jobStatuses } from '../shared/platform/jobs/record.ts';
import { read, write } from './http/endpoint.ts';
import { file } from './http/files/declarations.ts';
import { stream } from './http/files/stream-declaration.ts';
import { list } from './http/list.ts';
import { JobReply } from './http/schemas.ts';

const WHOSE =
  'Jobs are shown to the one who asked for them and to holders of the scope of what they do; exports of audit logs to holders of `audit:read` who may read that domain. Those of attendance are for who asked for them and for owners and admins.';

const instead = [
  ...domains.flatMap(({ cancels_job }) => cancels_job ?? []),
  cancelsPausedImport(domains.flatMap(({ imports = [] }) => imports)),
];

export const jobs = [
  list({
    id: 'jobs.list',
    path: '/api/v1/jobs',
    scope: 'jobs:read',
    summary: 'List jobs',
    description: `${WHOSE} Their results are without \`entries\`, what came of each record: \`GET /api/v1/jobs/{id}\` has them.`,
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
  stream({
    id: 'jobs.events',
    path: '/api/v1/jobs/:id/events',
    scope: 'jobs:read',
    summary: 'Follow a job',
    description:
      'Server-sent events: `state` with the job at first and whenever its status changes, `progress` in between, a comment every 15 s as a sign of life. The stream ends with the job; one that was lost goes on with `Last-Event-ID`.',
    params: byId('job'),
    events: { state: JobResource, progress: JobProgress },
    topic: ({ params }) => params.id,
    look: ({ params }, reader, last_event_id) => jobEvents(reader, params.id, last_event_id),
  }),
  file({
    id: 'jobs.file',
    path: '/api/v1/jobs/:id/file',
    scope: 'jobs:read',
    summary: 'Download the file of a job',
    description: 'What the job made, for 7 days. A download that broke off goes on with `Range`.',
    params: byId('job'),
    media_types: ['text/csv', 'application/pdf', 'application/zip'],
    raises: ['job_not_finished'],
    handle: ({ params }, reader) => jobFile(reader, params.id),
  }),
  write({
    id: 'jobs.cancel',
    method: 'post',
    path: '/api/v1/jobs/:id/cancel',
    scope: 'jobs:read',
    summary: 'Cancel a job',
    description:
      "A job that runs stops at its next step; what it has done by then stays. That of a campaign pauses the campaign, and is `paused` with it. For the one who asked for it and for holders of its domain's `:write`, where they see it; for others who see it 403.",
    params: byId('job'),
    reply: JobReply,
    example: {
      job: { status: 'cancelled', progress: { done: 500, total: 1_200, unit: 'rows' }, result: null },
    },
    raises: ['insufficient_scope', 'job_finished'],
    handle: async ({ params }, work) => ({ job: await cancelJob(work, params.id, instead) }),
  }),
];
