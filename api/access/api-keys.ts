import { z } from 'zod';
import { roleGrants, scopes } from '../../shared/domains.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { createApiKey, revokeApiKey } from '../../shared/platform/access/api-keys/operations.ts';
import { apiKeyById, apiKeyPage } from '../../shared/platform/access/api-keys/queries.ts';
import { apiKeySchemas } from '../../shared/platform/access/api-keys/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const schemas = apiKeySchemas(['*', ...scopes]);
const { ApiKey } = schemas;

/** What a new key is made from, in the body of the call and on the page of the account. */
export const { ApiKeyInput } = schemas;

export const apiKeys = [
  list({
    id: 'api_keys.list',
    path: '/api/v1/api-keys',
    scope: 'any',
    session: true,
    summary: 'List API keys',
    description: 'Owners and admins see every key, others their own. Revoked ones are listed too.',
    item: ApiKey,
    filters: z.object({ created_by: id('usr').optional() }),
    handle: ({ filters, window }, reader) => apiKeyPage(reader, filters, window),
  }),
  read({
    id: 'api_keys.get',
    method: 'get',
    path: '/api/v1/api-keys/:id',
    scope: 'any',
    session: true,
    summary: 'Read an API key',
    description:
      'Without its secret. Owners and admins read every key, others their own; a key of somebody else is 404.',
    params: byId('ak'),
    reply: z.strictObject({ api_key: ApiKey }),
    handle: async ({ params }, reader) => ({ api_key: await apiKeyById(reader, params.id) }),
  }),
  write({
    id: 'api_keys.create',
    method: 'post',
    path: '/api/v1/api-keys',
    scope: 'any',
    session: true,
    summary: 'Create an API key',
    description:
      'The secret is in this answer and nowhere else. A key acts as the person who made it. An organization has at most 100 keys that are neither revoked nor expired.',
    body: ApiKeyInput,
    status: 201,
    reply: z.strictObject({
      api_key: ApiKey,
      secret: z
        .string()
        .nullable()
        .describe('Shown this once.')
        .meta({ examples: ['sk_...'] }),
    }),
    secrets: ['secret'],
    raises: ['insufficient_scope', 'too_many_keys'],
    handle: ({ body }, work) => createApiKey(work, body, roleGrants),
  }),
  write({
    id: 'api_keys.revoke',
    method: 'delete',
    path: '/api/v1/api-keys/:id',
    scope: 'any',
    session: true,
    summary: 'Revoke an API key',
    description: 'Requests with it are refused at once, on every process.',
    params: byId('ak'),
    reply: Deleted,
    handle: async ({ params }, work) => {
      await revokeApiKey(work, params.id);
      return deleted;
    },
  }),
];
