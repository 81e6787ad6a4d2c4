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
    description:
      'Asks neither the database nor the queues, so it is answered as long as the process takes requests. `/readyz` tells whether requests can be served.',
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
      'Answers 503 with the same body while the database is away or migrations are waiting. `queue` is false when a job has waited a minute for the workers, `store` when files cannot be kept, `clock` when it is more than a minute off the database’s; requests are served all the same. All but `status` is told to this machine, to METRICS_NETWORKS and with METRICS_TOKEN alone.',
    reply: z.object({
      status: text('ok'),
      version: text('0.1.0').optional(),
      commit: text('2bec71d1c0c5b4f7c1f5b7f2f9a4b3a5d2e6f801').nullable().optional(),
      checks: z
        .object({
          database: z.boolean(),
          migrations: z.boolean(),
          queue: z.boolean(),
          store: z.boolean(),
          clock: z.boolean(),
        })
        .meta({ examples: [{ database: true, migrations: true, queue: true, store: true, clock: true }] })
        .optional(),
    }),
    failures: ['internal_error'],
  },
  {
    id: 'health.metrics',
    method: 'get',
    path: '/metrics',
    access: 'public',
    summary: 'Tell the numbers of the process',
    description: 'Told to this machine, to METRICS_NETWORKS and with METRICS_TOKEN as Bearer alone.',
    reply: {
      media_type: 'text/plain',
      example: '# TYPE http_request_duration_seconds histogram\n',
      description: 'The Prometheus text format.',
    },
    failures: ['missing_credentials', 'internal_error'],
  },
];
