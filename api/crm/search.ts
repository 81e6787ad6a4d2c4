import { z } from 'zod';
import { Duplicate, duplicateKinds, duplicates } from '../../shared/crm/duplicates.ts';
import { Found, type FoundKind, foundKinds, searchRecords } from '../../shared/crm/search.ts';
import { says } from '../../shared/kernel/language.ts';
import { integerParameter } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';

/** How many records of each kind a search answers. */
const MOST = 20;

const isKind = (kind: string): kind is FoundKind => foundKinds.includes(kind as FoundKind);

const kinds = z
  .string()
  .max(100)
  .refine((value) => value.split(',').every((kind) => isKind(kind.trim())), {
    params: { code: 'invalid_value' },
    error: says({
      en: `must be some of ${foundKinds.join(', ')}, separated by commas`,
      ja: `は次の値をカンマ区切りで指定してください：${foundKinds.join('、')}`,
    }),
  })
  .describe(`Some of ${foundKinds.join(', ')}, separated by commas; all unless said.`)
  .meta({ examples: ['company,contact'] });

export const search = [
  read({
    id: 'crm.search',
    method: 'get',
    path: '/api/v1/crm/search',
    scope: 'crm:read',
    summary: 'Search companies, contacts and deals',
    description: `The newest ${MOST} of each kind whose name, kana, e-mail or phone number holds the term; deals also by the name of their company.`,
    query: z.strictObject({
      q: z
        .string()
        .trim()
        .min(2)
        .max(200)
        .describe('What to look for.')
        .meta({ examples: ['田中'] }),
      kinds: kinds.optional(),
    }),
    reply: z.strictObject({ items: z.array(Found) }),
    handle: async ({ query }, reader) => {
      const wanted =
        query.kinds
          ?.split(',')
          .map((kind) => kind.trim())
          .filter(isKind) ?? foundKinds;
      return { items: await searchRecords(reader, query.q, wanted, MOST) };
    },
  }),
  read({
    id: 'crm.duplicates',
    method: 'get',
    path: '/api/v1/crm/duplicates',
    scope: 'crm:read',
    summary: 'Find companies or contacts that may be one and the same',
    description:
      'The surest first. Records share a corporate number, an e-mail, a phone number, or a company name without 株式会社 and the like.',
    query: z.strictObject({
      kind: z.enum(duplicateKinds).describe('Both unless said.').optional(),
      limit: integerParameter(1, 200).describe('Groups to answer: 50 unless said.').optional(),
      offset: integerParameter(0, 10_000_000).describe('Groups to skip.').optional(),
    }),
    reply: z.strictObject({ items: z.array(Duplicate), total: z.int(), limit: z.int(), offset: z.int() }),
    handle: async ({ query }, reader) => {
      const { kind, limit = 50, offset = 0 } = query;
      const { rows, total } = await duplicates(reader, kind ? [kind] : duplicateKinds, { limit, offset });
      return { items: rows, total, limit, offset };
    },
  }),
];
