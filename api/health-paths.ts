import { z } from 'zod';
import type { PlainCall } from './http/openapi/call.ts';

const text = (example: string) => z.string().meta({ examples: [example] });

/** What the text about the API says of the paths for machines that watch the service. */
export const healthPaths: readonly PlainCall[] = [
  {
    id: 'health.alive',
    method: 'get',
    path: '/healthz',
    access: 'public',
    summary: 'Tell whether the process is alive',
    reply: z.object({ status: text('ok') }),
    failures: ['internal_error'],
  },
  {
    id: 'health.ready',
    method: 'get',
    path: '/readyz',
    access: 'public',
    summary: 'Tell whether requests can be served',
    description:
      'Answers 503 with the same body while the database is away or migrations are waiting. `queue` is false when a job has waited a minute for the workers; requests are served all the same.',
    reply: z.object({
      status: text('ok'),
      checks: z.object({ database: z.boolean(), migrations: z.boolean(), queue: z.boolean() }).meta({
        examples: [{ database: true, migrations: true, queue: true }],
      }),
    }),
    failures: ['internal_error'],
  },
  {
    id: 'health.metrics',
    method: 'get',
    path: '/metrics',
    access: 'public',
    summary: 'Tell the numbers of the process',
    reply: {
      media_type: 'text/plain',
      example: '# TYPE http_request_duration_seconds histogram\n',
      description: 'The Prometheus text format.',
    },
    failures: ['internal_error'],
  },
];
