import { z } from 'zod';
import { alreadyExists, refusesBy } from '../../../db/constraint.ts';
import { factsOf } from '../../../kernel/fact.ts';
import { invalid } from '../../../kernel/failure.ts';
import { says } from '../../../kernel/language.ts';
import { id, timestamp } from '../../../kernel/schema.ts';
import { name } from '../names.ts';
import { isReservedSlug, SLUG } from './slug.ts';

const slug = () =>
  z
    .string()
    .regex(
      SLUG,
      says({
        en: 'must be 2 to 63 of a-z, 0-9 and -, and begin with a letter or digit',
        ja: 'は英小文字、数字、ハイフンの2〜63文字で、英小文字か数字から始めてください',
      }),
    )
    .refine((value) => !isReservedSlug(value), {
      params: { code: 'reserved' },
      error: says({
        en: 'is a word that paths of this service use',
        ja: 'はこのサービスのパスで使われている語のため使えません',
      }),
    })
    .meta({ examples: ['yamada-shoji'] });

const organizationName = () => name(100).meta({ examples: ['山田商事株式会社'] });

const apiVersion = () => z.string().meta({ examples: ['2026-02-22'] });

/** An organization, as the API shows it. */
export const Organization = z
  .strictObject({
    id: id('org'),
    object: z.literal('organization'),
    name: organizationName(),
    slug: z.string().meta({ examples: ['yamada-shoji'] }),
    metadata: z.strictObject({
      api_version: apiVersion().describe('The version of the API for requests that name none.'),
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Organization' });

export type Organization = z.output<typeof Organization>;

/** What a new organization is made from. */
export const OrganizationInput = z
  .strictObject({
    name: organizationName(),
    slug: slug().describe('Stands in public paths; made from the name when absent.').optional(),
  })
  .meta({ id: 'OrganizationInput' });

export type OrganizationInput = z.output<typeof OrganizationInput>;

/** What a change of an organization may hold. */
export const OrganizationPatch = z
  .strictObject({
    name: organizationName(),
    slug: slug(),
    metadata: z.strictObject({ api_version: apiVersion().optional() }),
    api_version: apiVersion().describe('The same as `metadata.api_version`.'),
  })
  .partial()
  .meta({ id: 'OrganizationPatch' });

export type OrganizationPatch = z.output<typeof OrganizationPatch>;

/** The version that a change asks for, at either of its places. Errors: `conflict` where they name two. */
export function askedVersion({ metadata, api_version }: OrganizationPatch): string | undefined {
  const within = metadata?.api_version;
  if (within !== undefined && api_version !== undefined && within !== api_version) {
    throw invalid('/api_version', 'conflict', {
      en: 'api_version must be that of metadata.api_version, or be left out',
      ja: 'api_version は metadata.api_version と同じ値にするか、省いてください',
    });
  }
  return within ?? api_version;
}

export const organizationFacts = factsOf({ domain: 'platform', entity_type: 'organization' });

refusesBy('organizations_slug_key', () =>
  alreadyExists('/slug', {
    en: 'Another organization has this slug',
    ja: 'この slug はほかの組織が使っています',
  }),
);
