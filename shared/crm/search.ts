import { z } from 'zod';
import { pageOf } from '../db/list.ts';
import type { SearchTerm } from '../db/search-term.ts';
import type { Prefix } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Window } from '../kernel/window.ts';
import { searchTerm } from '../platform/search/grams.ts';

export const foundKinds = ['company', 'contact', 'deal'] as const;

export type FoundKind = (typeof foundKinds)[number];

/** A record that a search found, with what tells it from others of its name. */
export const Found = z
  .strictObject({
    object: z.enum(['crm.company', 'crm.contact', 'crm.deal']),
    id: z.string().meta({ examples: ['comp_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    title: z.string().meta({ examples: ['株式会社山田商店'] }),
    subtitle: z
      .string()
      .nullable()
      .describe('Of a company its place or domain, of a contact or deal the name of the company.')
      .meta({ examples: ['東京都千代田区'] }),
  })
  .meta({ id: 'Found' });

export type Found = z.output<typeof Found>;

/** The newest records of the kinds that a typed term is part of: companies, then contacts, then deals. */
export async function searchRecords(
  reader: Reader,
  typed: string,
  kinds: readonly FoundKind[],
  most: number,
): Promise<Found[]> {
  const term = searchTerm(typed);
  if (!term) return [];
  const found: Found[] = [];
  for (const kind of foundKinds) {
    if (kinds.includes(kind)) found.push(...(await searchKind(reader, kind, term, most)));
  }
  return found;
}

type Row = { id: string; title: string; company_id: string | null; subtitle: string | null };

const tables: Record<FoundKind, { table: string; prefix: Prefix; columns: string[] }> = {
  company: {
    table: 'crm_companies',
    prefix: 'comp',
    columns: ['id', 'name', 'prefecture', 'city', 'domain'],
  },
  contact: { table: 'crm_contacts', prefix: 'cont', columns: ['id', 'full_name', 'email', 'company_id'] },
  deal: { table: 'crm_deals', prefix: 'deal', columns: ['id', 'name', 'company_id'] },
};

async function searchKind(
  reader: Reader,
  kind: FoundKind,
  search: SearchTerm,
  most: number,
): Promise<Found[]> {
  const { table, prefix, columns } = tables[kind];
  const query = reader.connection.from(table).where({ [`${table}.organization_id`]: reader.organization_id });
  const page = await pageOf<{ id: string } & Record<string, string | null>>(reader, {
    query,
    table,
    columns,
    prefix,
    window: newest(most),
    search,
  });
  const rows = page.rows.map((row): Row => {
    const place = `${row['prefecture'] ?? ''}${row['city'] ?? ''}`;
    return {
      id: row.id,
      title: row['full_name'] ?? row['name'] ?? '',
      company_id: row['company_id'] ?? null,
      subtitle: place || row['domain'] || row['email'] || null,
    };
  });
  const names = await companyNames(reader, rows);
  return rows.map(({ id, title, company_id, subtitle }) => ({
    object: `crm.${kind}` as const,
    id,
    title,
    subtitle: (company_id && names.get(company_id)) || subtitle,
  }));
}

async function companyNames(reader: Reader, rows: readonly Row[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ company_id }) => company_id ?? []);
  if (ids.length === 0) return new Map();
  const companies = await reader.connection.query<{ id: string; name: string }>(
    'SELECT id, name FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)',
    [reader.organization_id, ids],
  );
  return new Map(companies.map(({ id, name }) => [id, name]));
}

function newest(limit: number): Window {
  return {
    form: 'cursor',
    limit,
    offset: 0,
    starting_after: null,
    sort: [],
    created_after: null,
    updated_after: null,
    updated_before: null,
    created_before: null,
    count: false,
  };
}
