import { z } from 'zod';
import { TenantModel } from '../../../db/model.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { says } from '../../../kernel/language.ts';
import { id, timestamp, timestampInput } from '../../../kernel/schema.ts';
import type { Grant } from '../../../kernel/scope.ts';
import { name } from '../names.ts';

const keyName = () => name(100).meta({ examples: ['会計ソフト連携'] });

/** The schemas of keys where these scopes can be granted. */
export function apiKeySchemas(grants: readonly Grant[]) {
  const Scopes = z
    .array(z.enum(grants))
    .describe('What the key may do, within the present role of its creator; `*` is all of it.')
    .meta({ examples: [['crm:read', 'crm:write']] });

  /** An API key, as the API shows it: without its secret. */
  const ApiKey = z
    .strictObject({
      id: id('ak'),
      object: z.literal('api_key'),
      name: z.string().meta({ examples: ['会計ソフト連携'] }),
      start: z
        .string()
        .describe('The first letters of the secret, to know it by.')
        .meta({ examples: ['sk_4fGh'] }),
      scopes: Scopes,
      created_by: id('usr'),
      created_at: timestamp(),
      updated_at: timestamp(),
      last_used_at: timestamp().nullable().describe('To the minute.'),
      expires_at: timestamp().nullable(),
      revoked_at: timestamp().nullable(),
    })
    .meta({ id: 'ApiKey' });

  /** What a new key is made from. */
  const ApiKeyInput = z
    .strictObject({
      name: keyName(),
      scopes: Scopes.min(1)
        .refine((list) => new Set(list).size === list.length, {
          params: { code: 'repeated' },
          error: says({ en: 'must name each scope once', ja: 'には同じスコープを重複して指定できません' }),
        })
        .describe('All scopes of its creator unless said. Give each key as few as it needs.')
        .optional(),
      expires_at: timestampInput().nullable().describe('Never, unless said.').optional(),
    })
    .meta({ id: 'ApiKeyInput' });

  return { ApiKey, ApiKeyInput };
}

type Schemas = ReturnType<typeof apiKeySchemas>;

export type ApiKey = z.output<Schemas['ApiKey']>;

export type ApiKeyInput = z.output<Schemas['ApiKeyInput']>;

export class ApiKeyModel extends TenantModel {
  static override tableName = 'api_keys';
}

export const apiKeyFacts = factsOf({
  domain: 'platform',
  entity_type: 'api_key',
  computed: ['last_used_at'],
});
