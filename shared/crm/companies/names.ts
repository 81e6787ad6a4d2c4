import { hasTerm, numbered, type SearchTerm } from '../../db/search-term.ts';
import type { Reader } from '../../kernel/reader.ts';
import { text } from '../../kernel/schema.ts';
import { companyNameKey } from '../names.ts';

/** What a company can be called. */
export const companyName = () => text(200).meta({ examples: ['株式会社山田商店'] });

/** The company that an ID leads to: itself, or the one that it was merged into. */
export type NamedCompany = { id: string; name: string };

/**
 * The companies that these IDs lead to, by the IDs; without those of records that are not there. Several IDs lead to one
 * company where some were merged into it.
 */
export async function companiesNamed(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<Map<string, NamedCompany>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<NamedCompany & { asked: string }>(
    `SELECT asked.id AS asked, company.id, company.name
       FROM unnest($2::text[]) AS asked (id)
       LEFT JOIN crm_aliases AS alias ON alias.organization_id = $1 AND alias.id = asked.id
       JOIN crm_companies AS company
         ON company.organization_id = $1 AND company.id = coalesce(alias.company_id, asked.id)`,
    [organization_id, ids],
  );
  return new Map(rows.map(({ asked, id, name }) => [asked, { id, name }]));
}

/** The IDs of the companies that are called exactly by one of these names, by the name. */
export async function companiesCalled(
  { connection, organization_id }: Reader,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  if (names.length === 0) return new Map();
  const rows = await connection.query<NamedCompany>(
    `SELECT id, name FROM crm_companies
      WHERE organization_id = $1 AND name_key = ANY ($2) AND name = ANY ($3) ORDER BY id`,
    [organization_id, [...new Set(names.map(companyNameKey))], names],
    { prepared: false },
  );
  const ids = Map.groupBy(rows, ({ name }) => name);
  return new Map([...ids].map(([name, found]) => [name, found.map(({ id }) => id)]));
}

/**
 * The companies that these IDs lead to, by the IDs, held until the transaction ends: they may change, but not vanish. One
 * that is merged at this moment leads to its survivor.
 */
export async function holdCompanies(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const asked = [...new Set(ids)].sort();
  const held = await heldCompanies(reader, asked);
  const missing = asked.filter((id) => !held.has(id));
  return missing.length === 0 ? held : new Map([...held, ...(await heldCompanies(reader, missing))]);
}

async function heldCompanies(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<{ asked: string; id: string }>(
    `SELECT asked.id AS asked, company.id FROM unnest($2::text[]) AS asked (id)
       LEFT JOIN crm_aliases AS alias ON alias.organization_id = $1 AND alias.id = asked.id
       JOIN crm_companies AS company
         ON company.organization_id = $1 AND company.id = coalesce(alias.company_id, asked.id)
      ORDER BY company.id FOR KEY SHARE OF company`,
    [organization_id, ids],
  );
  return new Map(rows.map(({ asked, id }) => [asked, id]));
}

/** When a company was last changed; null where there is none. Names that were read after that are of that moment at the latest. */
export async function companiesChangedAt({ connection, organization_id }: Reader): Promise<string | null> {
  const [row] = await connection.query<{ changed_at: string | null }>(
    'SELECT max(updated_at)::text AS changed_at FROM crm_companies WHERE organization_id = $1',
    [organization_id],
  );
  return row?.changed_at ?? null;
}

/** A company with all IDs that lead to it: its own, and those of companies that were merged into it. */
export type CompanyWithAliases = NamedCompany & { ids: string[] };

/** The company that an ID leads to, with all IDs that do; null where there is none. */
export async function companyWithAliases(
  { connection, organization_id }: Reader,
  id: string,
): Promise<CompanyWithAliases | null> {
  const [found] = await connection.query<CompanyWithAliases>(
    `SELECT company.id, company.name, array_append(ARRAY(
              SELECT alias.id FROM crm_aliases AS alias
               WHERE alias.organization_id = $1 AND alias.company_id = company.id), company.id) AS ids
       FROM crm_companies AS company
      WHERE company.organization_id = $1 AND company.id = coalesce(
              (SELECT company_id FROM crm_aliases WHERE organization_id = $1 AND id = $2), $2)`,
    [organization_id, id],
  );
  return found ?? null;
}

/** The companies that a search for a name finds. */
export async function companiesLike(
  { connection, organization_id }: Reader,
  term: SearchTerm,
): Promise<string[]> {
  const { text, values } = hasTerm('search_grams', 'search_text', term);
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM crm_companies WHERE organization_id = $1 AND ${numbered(text, 2)}`,
    [organization_id, ...values],
    { prepared: false },
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL that joins to each row the ID that a company's ID in it leads to, as `survivor.company_id`: null where it was merged
 * into none. `$1` is the organization.
 */
export function withSurvivor(id: string): string {
  return `LEFT JOIN crm_aliases AS survivor ON survivor.organization_id = $1 AND survivor.id = ${id}`;
}

/**
 * SQL that joins to each row the company that an ID in it leads to, as `company`: its `name`, and its `label`, the name with
 * the ID where two companies have it. `$1` is the organization.
 */
export function withCompany(id: string): string {
  return `${withSurvivor(id)}
  LEFT JOIN (
    SELECT id, name,
           CASE WHEN count(*) OVER (PARTITION BY name) > 1 THEN name || ' (' || id || ')' ELSE name END AS label
      FROM crm_companies WHERE organization_id = $1) AS company ON company.id = coalesce(survivor.company_id, ${id})`;
}
