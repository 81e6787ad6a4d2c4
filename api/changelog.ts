import { z } from 'zod';
import { read } from './http/endpoint.ts';
import { versions } from './versions.ts';

const Version = z
  .strictObject({
    version: z.string().meta({ examples: ['2026-02-22'] }),
    date: z.string().meta({ examples: ['2026-02-22'] }),
    description: z.string().meta({ examples: ['The first version.'] }),
    changes: z.array(z.string()).meta({ examples: [['Initial release of the API.']] }),
  })
  .meta({ id: 'Version' });

export const changelog = [
  read({
    id: 'changelog.list',
    method: 'get',
    path: '/api/v1/changelog',
    scope: 'public',
    summary: 'List the versions of the API',
    description:
      'The newest first, each with its changes. A request chooses one by `Service-Version`; an organization has its own for requests that name none.',
    reply: z.strictObject({
      object: z.literal('list'),
      data: z.array(Version),
      latest_version: z.string().meta({ examples: ['2026-02-22'] }),
      current_version: z
        .string()
        .describe('The version that this answer is given in.')
        .meta({ examples: ['2026-02-22'] }),
      all_versions: z.array(z.string()).meta({ examples: [['2026-02-22']] }),
    }),
    handle: async ({ version }) => ({
      object: 'list' as const,
      data: versions.map(({ version, date, description, changes }) => ({
        version,
        date,
        description,
        changes: [...changes],
      })),
      latest_version: versions[0]!.version,
      current_version: version,
      all_versions: versions.map(({ version }) => version),
    }),
  }),
];
